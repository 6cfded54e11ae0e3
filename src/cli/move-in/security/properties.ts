/** Reads properties files of Java: keys and values in the order of the file. */

export interface Property {
  readonly key: string;
  readonly value: string;
}

export function readProperties(text: string): readonly Property[] {
  return joinLines(text).flatMap((line) => {
    const end = findKeyEnd(line);
    const key = unescapeText(line.slice(0, end));
    const value = line.slice(end).replace(/^[ \t\f]*[=:]?[ \t\f]*/, '');
    return key === '' ? [] : [{ key, value: unescapeText(value) }];
  });
}

/** Logical lines, without comments: a backslash at the end continues a line. */
function joinLines(text: string): readonly string[] {
  const lines: string[] = [];
  let open: string | undefined;
  for (const written of text.split(/\r\n|\r|\n/)) {
    const line = written.replace(/^[ \t\f]+/, '');
    if (open === undefined && (line === '' || /^[#!]/.test(line))) continue;
    const joined: string = (open ?? '') + line;
    const isContinued = (/\\+$/.exec(joined)?.[0].length ?? 0) % 2 === 1;
    open = isContinued ? joined.slice(0, -1) : undefined;
    if (!isContinued) lines.push(joined);
  }
  return open === undefined ? lines : [...lines, open];
}

function findKeyEnd(line: string): number {
  for (let index = 0; index < line.length; index += 1) {
    if (line[index] === '\\') index += 1;
    else if (/[=: \t\f]/.test(line[index] ?? '')) return index;
  }
  return line.length;
}

const controls: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f' };

function unescapeText(text: string): string {
  return text.replaceAll(
    /\\(?:u([0-9a-fA-F]{4})|(.))/gs,
    (_, code: string | undefined, character: string | undefined) =>
      code === undefined
        ? (controls[character ?? ''] ?? character ?? '')
        : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
