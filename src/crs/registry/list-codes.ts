/** Lists the known CRS codes page by page. */
import { loadRegistry, type NamedCode } from './registry.ts';

export interface CodeQuery {
  readonly authority: string | null;
  /** A substring of the code, including the authority. */
  readonly query: string | null;
  /** A substring of the code or of the name. */
  readonly search: string | null;
  readonly offset: number;
  readonly limit: number;
}

export interface CodePage extends CodeQuery {
  readonly codes: readonly NamedCode[];
  /** The number of codes on all pages. */
  readonly total: number;
}

export async function listCodes(asked: CodeQuery): Promise<CodePage> {
  const { authority, query, search, offset, limit } = asked;
  const prefix = authority === null ? '' : `${authority.toUpperCase()}:`;
  const part = (query ?? '').toUpperCase();
  const wanted = (search ?? '').trim().toUpperCase();
  const found = (await loadRegistry())
    .listNames()
    .filter(
      ({ code, name }) =>
        code.startsWith(prefix) &&
        code.includes(part) &&
        (wanted === '' || code.includes(wanted) || name.toUpperCase().includes(wanted)),
    );
  return { ...asked, codes: found.slice(offset, offset + limit), total: found.length };
}

export async function listAuthorities(): Promise<readonly string[]> {
  const codes = (await loadRegistry()).listNames();
  return [...new Set(codes.map(({ code }) => code.slice(0, code.indexOf(':'))))];
}
