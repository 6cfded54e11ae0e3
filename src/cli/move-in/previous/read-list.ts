/** Reads the items of a list at the end of a JSON document one by one: lists of plans and changes can have 200 MB. */

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [0x22, 0x5c, 0x7b, 0x7d];

/** The objects of the list that follows `,"name":[`. */
export async function* readList<T>(pieces: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<T> {
  const start = Buffer.from(`,"${name}":[`);
  let rest: Buffer = Buffer.alloc(0);
  let isInside = false;
  for await (const piece of pieces) {
    rest = rest.length === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece]);
    if (!isInside) {
      const at = rest.indexOf(start);
      if (at < 0) {
        // The start can be divided between two pieces.
        rest = rest.subarray(Math.max(0, rest.length - start.length));
        continue;
      }
      rest = rest.subarray(at + start.length);
      isInside = true;
    }
    const ends = findObjectEnds(rest);
    let from = 0;
    for (const end of ends) {
      yield JSON.parse(rest.toString('utf8', rest.indexOf(OPEN, from), end)) as T;
      from = end;
    }
    rest = rest.subarray(from);
  }
}

/** The positions after the objects of a list that are complete. */
function findObjectEnds(text: Buffer): readonly number[] {
  const ends: number[] = [];
  let depth = 0;
  let isText = false;
  for (let index = 0; index < text.length; index += 1) {
    const byte = text[index];
    if (isText) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPEN) depth += 1;
    else if (byte === CLOSE) {
      depth -= 1;
      if (depth === 0) ends.push(index + 1);
    }
  }
  return ends;
}
