/** Parses JSON Web Tokens strictly. Nothing in a token is trusted before its signature is verified. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };
export type Claims = Readonly<Record<string, Json>>;

export interface ParsedJwt {
  readonly header: Claims;
  readonly claims: Claims;
  /** The bytes that are signed. */
  readonly signed: string;
  readonly signature: Buffer;
}

/** Access tokens with many roles take some kilobytes. */
const MAX_TOKEN_LENGTH = 12_288;

/** Returns undefined unless a token has three base64url parts with JSON objects without duplicate members. */
export function parseJwt(token: string): ParsedJwt | undefined {
  const parts = token.split('.');
  const [first = '', second = '', third = ''] = parts;
  if (token.length > MAX_TOKEN_LENGTH || parts.length !== 3 || !parts.every((part) => /^[\w-]+$/.test(part))) {
    return undefined;
  }
  const [header, claims] = [parseObject(first), parseObject(second)];
  const signature = Buffer.from(third, 'base64url');
  // Node ignores invalid trailing bits, so that several texts would be the same signature.
  const isCanonical = signature.toString('base64url') === third;
  return header === undefined || claims === undefined || !isCanonical
    ? undefined
    : { header, claims, signed: `${first}.${second}`, signature };
}

/** The characters of tokens in an Authorization header (RFC 6750, 2.1). */
const tokenPattern = /^[\w.~+/-]+=*$/;

/**
 * Returns whether a text can be a token of another kind: JSON Web Tokens, also encrypted and invalid ones, begin with an
 * object.
 */
export function isOpaqueToken(token: string): boolean {
  const [first = ''] = token.split('.');
  const hasHeader = /^\s*\{\s*["}]/.test(Buffer.from(first, 'base64url').toString());
  return token.length <= MAX_TOKEN_LENGTH && tokenPattern.test(token) && !hasHeader;
}

function parseObject(part: string): Claims | undefined {
  const bytes = Buffer.from(part, 'base64url');
  const text = bytes.toString();
  if (!Buffer.from(text).equals(bytes)) return undefined;
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  // Parsers disagree about which of two equal members counts.
  return isObject && !hasDuplicateMembers(text) ? (value as Claims) : undefined;
}

/** Scans valid JSON. */
function hasDuplicateMembers(text: string): boolean {
  const objects: (Set<string> | undefined)[] = [];
  let isName = false;
  for (const [found] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    if (found === '{') objects.push(new Set());
    else if (found === '[') objects.push(undefined);
    else if (found === '}' || found === ']') objects.pop();
    if (found === '{' || found === ',') isName = objects.at(-1) !== undefined;
    else if (isName && found.startsWith('"')) {
      const names = objects.at(-1);
      const name = JSON.parse(found) as string;
      if (names?.has(name)) return true;
      names?.add(name);
      isName = false;
    } else isName = false;
  }
  return false;
}

/** Finds a claim by its name, or by a JSON Pointer such as `/realm_access/roles`. */
export function findClaim(claims: Claims, name: string): Json | undefined {
  if (!name.startsWith('/')) return Object.hasOwn(claims, name) ? claims[name] : undefined;
  let value: Json | undefined = claims;
  for (const segment of name.slice(1).split('/')) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    const isContainer: boolean = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    value = isContainer ? (value as Claims)[key] : undefined;
  }
  return value;
}
