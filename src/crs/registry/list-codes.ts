/** The codes of the coordinate reference systems that are known, a page at a time. */
import { loadRegistry } from './registry.ts';

export interface CodeQuery {
  readonly authority: string | null;
  /** What the code has in it, authority included. */
  readonly query: string | null;
  readonly offset: number;
  readonly limit: number;
}

export interface CodePage {
  readonly codes: readonly string[];
  readonly offset: number;
  readonly limit: number;
  /** How many there are on all pages. */
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
