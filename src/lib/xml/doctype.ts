/** Detects a DOCTYPE before parsing, so that no part of a DTD is ever processed. */

/** Returns whether a DOCTYPE is where XML allows one: before the root, after comments and processing instructions. */
export function hasDoctype(text: string): boolean {
  return findDoctype(text) !== undefined;
}

/** Returns the offset of the DOCTYPE. */
export function findDoctype(text: string): number | undefined {
  let offset = 0;
  for (;;) {
    while (' \t\r\n\uFEFF'.includes(text.charAt(offset)) && offset < text.length) offset += 1;

    const end = text.startsWith('<!--', offset)
      ? computeEnd(text, '-->', offset + 4)
      : text.startsWith('<?', offset)
        ? computeEnd(text, '?>', offset + 2)
        : undefined;
    if (end === undefined) return text.startsWith('<!DOCTYPE', offset) ? offset : undefined;
    offset = end;
  }
}

function computeEnd(text: string, terminator: string, from: number): number {
  const at = text.indexOf(terminator, from);
  return at < 0 ? text.length : at + terminator.length;
}
