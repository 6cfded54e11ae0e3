/** JSON for golden files: short values on one line, long ones wrapped, so that diffs are readable. */

const maxLineLength = 120;

export function compactJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= maxLineLength) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => `${inner}${compactJson(item, inner)}`);
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${inner}${JSON.stringify(key)}: ${compactJson(member, inner)}`);
  return `{\n${members.join(',\n')}\n${indent}}`;
}
