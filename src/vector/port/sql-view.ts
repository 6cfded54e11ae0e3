/** A client query that is used like a table, and its validation before a database sees it. */
import type { GeometryType } from '../../geometry/geometry.ts';

export interface SqlView {
  /** The prefix of its feature ids. */
  readonly name: string;
  /** A single query without a trailing semicolon. */
  readonly sql: string;
  /** The columns that identify a row, if any. */
  readonly keyColumns: readonly string[];
  readonly geometries: readonly DeclaredGeometry[];
}

/** The declared properties of a geometry column; others are detected from the data. */
export interface DeclaredGeometry {
  readonly name: string;
  readonly type?: GeometryType;
  readonly srid?: number;
}

/** Returns the reason why a text is not a single query, or undefined. Only the database can validate it completely. */
export function validateQuery(sql: string): string | undefined {
  const code = removeQuotedParts(sql);
  if (!/^[\s(]*(?:select|with)\b/i.test(code)) {
    return 'the sql must be a query that begins with SELECT or WITH';
  }
  return code.includes(';') ? 'the sql must be a single statement without a semicolon' : undefined;
}

/** Replaces each comment, string and quoted name with a space. */
function removeQuotedParts(sql: string): string {
  let code = '';
  let from = 0;
  for (const start = /--|\/\*|'|"|\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/gu; ; ) {
    start.lastIndex = from;
    const found = start.exec(sql);
    if (found === null) {
      return code + sql.slice(from);
    }
    code += `${sql.slice(from, found.index)} `;
    const [opening] = found;
    const closing = closings[opening] ?? opening;
    const end = sql.indexOf(closing, found.index + opening.length);
    if (end < 0) {
      return code;
    }
    from = end + closing.length;
  }
}

const closings: Readonly<Record<string, string>> = { '--': '\n', '/*': '*/' };
