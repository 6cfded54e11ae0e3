/** Names and texts in SQLite statements. */

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** For where a statement takes no parameter. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
