/** Lists the known CRS codes page by page. */
import { loadRegistry } from './registry.ts';

export interface CodeQuery {
  readonly authority: string | null;
  /** A substring of the code, including the authority. */
  readonly query: string | null;
  readonly offset: number;
  readonly limit: number;
}

export interface CodePage {
  readonly codes: readonly string[];
  readonly offset: number;
  readonly limit: number;
  /** The number of codes on all pages. */
  readonly total: number;
}

export async function listCodes({ authority, query, offset, limit }: CodeQuery): Promise<CodePage> {
  const prefix = authority === null ? '' : `${authority.toUpperCase()}:`;
  const part = (query ?? '').toUpperCase();
  const codes = (await loadRegistry()).listCodes().filter((code) => code.startsWith(prefix) && code.includes(part));
  return { codes: codes.slice(offset, offset + limit), offset, limit, total: codes.length };
}

export async function listAuthorities(): Promise<readonly string[]> {
  const codes = (await loadRegistry()).listCodes();
  return [...new Set(codes.map((code) => code.slice(0, code.indexOf(':'))))];
}
