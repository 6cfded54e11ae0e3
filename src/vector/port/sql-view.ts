/** A query of a client that stands for a table, and what is looked at before a database sees it. */
import type { GeometryType } from '../../geometry/geometry.ts';

export interface SqlView {
  /** What its features are called by. */
  readonly name: string;
  /** One query, without a semicolon behind it. */
  readonly sql: string;
  /** The columns that identify a row, if any do. */
  readonly keyColumns: readonly string[];
  readonly geometries: readonly DeclaredGeometry[];
}

/** What the client says of a geometry column; what it does not say is found in the data. */
export interface DeclaredGeometry {
  readonly name: string;
  readonly type?: GeometryType;
  readonly srid?: number;
}

/** Why a text cannot be one query; undefined when it may. Whether it really is, only the database knows. */
export function validateQuery(sql: string): string | undefined {
  const code = removeQuotedParts(sql);
  if (!/^[\s(]*(?:select|with)\b/i.test(code)) {
    return 'the sql must be a query that begins with SELECT or WITH';
  }
  return code.includes(';') ? 'the sql must be a single statement without a semicolon' : undefined;
}

/** The text with a blank in place of each comment, string and quoted name. */
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
