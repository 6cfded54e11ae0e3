/** Reads the document of a new token. Unknown members are errors: a misspelt scope would grant more than intended. */
import { type DocumentReader, SMALL_DOCUMENT_BYTES } from '../../http/documents/document.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import { type TokenScopes, type TokenService, tokenServices } from '../../lib/identity/principal.ts';
import { type FieldError, problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { parseWholeNumber } from '../../lib/values/whole-number.ts';
import { defaultScopes } from '../../security/tokens/token-principal.ts';
import type { TokenDraft } from '../../security/tokens/tokens.ts';
import { scopesSchema } from './representation.ts';

export interface SentToken extends TokenDraft {
  /** Undefined if it was not sent. */
  readonly user: string | undefined;
}

/** Names appear in lists and logs. */
const MAX_NAME_LENGTH = 100;
/** Each is compared in every request with the token. */
const MAX_WORKSPACES = 1_000;

/** Collects the errors of a document. */
class TokenReader {
  readonly #errors: FieldError[] = [];

  report(field: string, message: string): undefined {
    this.#errors.push({ field, message });
    return undefined;
  }

  finish(): void {
    const [first] = this.#errors;
    if (first !== undefined) {
      throw problem('document-invalid', { complaints: this.#errors.slice(0, 20), field: first.field });
    }
  }

  checkMembers(node: InputNode, at: string, known: readonly string[]): void {
    if (node.kind !== 'object') {
      this.report(at, 'an object was expected');
    }
    for (const name of node.members.keys()) {
      if (!known.includes(name)) {
        this.report(`${at}.${excerpt(name)}`, `is unknown. Known members: ${known.join(', ')}`);
      }
    }
  }

  /** Returns undefined if the member is absent, null for a null. */
  readOne(node: InputNode, at: string, name: string): InputNode | null | undefined {
    const nodes = node.members.get(name);
    const [only] = nodes ?? [];
    if (nodes === undefined) return undefined;
    if (nodes.length !== 1 || only === undefined) return this.report(`${at}.${name}`, 'one value was expected');
    return only.kind === 'nil' ? null : only;
  }

  readText(node: InputNode, at: string, name: string): string | null | undefined {
    const found = this.readOne(node, at, name);
    if (found == null) return found;
    return found.kind === 'scalar' ? found.text : this.report(`${at}.${name}`, 'a text was expected');
  }

  readFlag(node: InputNode, at: string, name: string): boolean | undefined {
    const text = this.readText(node, at, name);
    if (text == null) return undefined;
    return text === 'true' || text === 'false'
      ? text === 'true'
      : this.report(`${at}.${name}`, `true or false was expected, but '${excerpt(text)}' was found`);
  }

  readInteger(node: InputNode, at: string, name: string, [least, most]: readonly [number, number]): number | null {
    const text = this.readText(node, at, name);
    if (text == null) return null;
    const value = parseWholeNumber(text);
    if (value >= least && value <= most) return value;
    this.report(`${at}.${name}`, `a whole number from ${least} to ${most} was expected`);
    return null;
  }

  readTime(node: InputNode, at: string, name: string): number | null | undefined {
    const text = this.readText(node, at, name);
    if (text == null) return text;
    const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
    const ms = isTime ? Date.parse(text) : Number.NaN;
    return Number.isNaN(ms) ? this.report(`${at}.${name}`, 'a time such as 2027-02-15T00:00:00.000Z was expected') : ms;
  }

  readList(node: InputNode, at: string, name: string): readonly string[] | null {
    const nodes = node.members.get(name);
    if (nodes === undefined || (nodes.length === 1 && nodes[0]?.kind === 'nil')) return null;
    if (nodes.some(({ kind }) => kind !== 'scalar') || nodes.length > MAX_WORKSPACES) {
      this.report(`${at}.${name}`, 'a list of texts was expected');
    }
    return [...new Set(nodes.map(({ text }) => text))].toSorted();
  }
}

const members = ['name', 'expires', 'idleMinutes', 'queryKey', 'ratePerMinute', 'scopes'];

/** `hasUser`: the document names the user of the token. */
export function createTokenReader({ hasUser }: { readonly hasUser: boolean }): DocumentReader<SentToken> {
  return {
    root: 'token',
    schemaName: hasUser ? 'NewTokenOfUser' : 'NewToken',
    maxBytes: SMALL_DOCUMENT_BYTES,
    schema: {
      type: 'object',
      required: ['token'],
      properties: {
        token: {
          type: 'object',
          required: hasUser ? ['name', 'user'] : ['name'],
          properties: {
            name: { type: 'string', description: 'Unique for the user.', examples: ['ci'] },
            ...(hasUser ? { user: { type: 'string', description: 'An enabled local user.', examples: ['ann'] } } : {}),
            expires: { type: 'string', format: 'date-time', description: 'Default: in 90 days.' },
            idleMinutes: { type: 'integer', minimum: 5, maximum: 1_440 },
            queryKey: { type: 'boolean', description: 'Whether services accept it as the query parameter authkey.' },
            ratePerMinute: { type: 'integer', minimum: 1, maximum: 100_000 },
            scopes: scopesSchema,
          },
        },
      },
    },
    read(body) {
      const reader = new TokenReader();
      const [node] = body.members.get('token') ?? [];
      if (node === undefined || body.members.size > 1) {
        throw problem('document-root', {
          expected: 'token',
          found: [...body.members.keys()].map(excerpt).join(', ') || 'no members',
        });
      }
      reader.checkMembers(node, 'token', hasUser ? [...members, 'user'] : members);
      const token = readToken(reader, node);
      reader.finish();
      return token;
    },
  };
}

function readToken(reader: TokenReader, node: InputNode): SentToken {
  const name = reader.readText(node, 'token', 'name') ?? '';
  if (name.length < 1 || name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name)) {
    reader.report('token.name', `1 to ${MAX_NAME_LENGTH} characters without control characters were expected`);
  }
  const queryKey = reader.readFlag(node, 'token', 'queryKey') ?? false;
  const scopes = readScopes(reader, node);
  const isSafeInUrl = scopes.readOnly && !scopes.admin && scopes.services !== null && !scopes.services.includes('rest');
  if (queryKey && !isSafeInUrl) {
    reader.report(
      'token.queryKey',
      'requires the scopes readOnly, not admin, and a list of services without rest, because URLs are not secret',
    );
  }
  return {
    name,
    user: reader.readText(node, 'token', 'user') ?? undefined,
    expiresAtMs: reader.readTime(node, 'token', 'expires'),
    idleMinutes: reader.readInteger(node, 'token', 'idleMinutes', [5, 1_440]),
    queryKey,
    ratePerMinute: reader.readInteger(node, 'token', 'ratePerMinute', [1, 100_000]),
    scopes,
  };
}

function readScopes(reader: TokenReader, node: InputNode): TokenScopes {
  const sent = reader.readOne(node, 'token', 'scopes');
  if (sent == null) return defaultScopes;
  const at = 'token.scopes';
  reader.checkMembers(sent, at, Object.keys(defaultScopes));
  const services = reader.readList(sent, at, 'services');
  const unknown = services?.filter((each) => !isTokenService(each)) ?? [];
  if (unknown.length > 0) {
    reader.report(`${at}.services`, `'${excerpt(unknown[0] ?? '')}' is unknown. Use ${tokenServices.join(', ')}`);
  }
  return {
    readOnly: reader.readFlag(sent, at, 'readOnly') ?? defaultScopes.readOnly,
    admin: reader.readFlag(sent, at, 'admin') ?? defaultScopes.admin,
    workspaces: reader.readList(sent, at, 'workspaces'),
    services: services?.filter(isTokenService) ?? null,
  };
}

function isTokenService(name: string): name is TokenService {
  return tokenServices.some((each) => each === name);
}
