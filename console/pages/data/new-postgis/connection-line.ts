/** Reads a connection string of PostgreSQL: a URI, or the key words of libpq. */

export type ConnectionValues = Readonly<Record<string, string>>;

/** The parameters of the store by the names of PostgreSQL. */
const names: Readonly<Record<string, string>> = {
  host: 'host',
  hostaddr: 'host',
  port: 'port',
  dbname: 'database',
  user: 'user',
  password: 'passwd',
  schema: 'schema',
  search_path: 'schema',
  currentSchema: 'schema',
  sslmode: 'SSL mode',
};

const sslModes: ReadonlySet<string> = new Set(['DISABLE', 'ALLOW', 'PREFER', 'REQUIRE', 'VERIFY_CA', 'VERIFY_FULL']);

/** Returns the parameters that the line contains; undefined if it is none. */
export function parseConnectionLine(text: string): ConnectionValues | undefined {
  const line = text
    .trim()
    .replace(/^psql\s+/, '')
    .replace(/^(["'])(.*)\1$/, '$2');
  const values = /^(?:jdbc:)?postgres(?:ql)?:\/\//i.test(line) ? parseUri(line) : parseKeyWords(line);
  return values === undefined || Object.keys(values).length === 0 ? undefined : normalize(values);
}

function parseUri(line: string): ConnectionValues | undefined {
  // URLs of unknown schemes have opaque hosts, which may contain encoded characters.
  const url = URL.parse(line.replace(/^(?:jdbc:)?postgres(?:ql)?:/i, 'http:'));
  if (url === null) return undefined;
  const parts = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    // The default port of the other scheme is not reported.
    port: url.port || (/:80(?:\/|\?|$)/.test(line) ? '80' : ''),
    dbname: decode(url.pathname.slice(1)),
    user: decode(url.username),
    password: decode(url.password),
  };
  return { ...Object.fromEntries([...url.searchParams]), ...withoutEmpty(parts) };
}

/** `host=db.example dbname='my maps' user=me`. */
function parseKeyWords(line: string): ConnectionValues | undefined {
  const pair = /\s*([A-Za-z_]+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|(\S*))/gy;
  const found: Record<string, string> = {};
  let end = 0;
  for (const match of line.matchAll(pair)) {
    const [whole, key = '', quoted, plain = ''] = match;
    found[key] = (quoted ?? plain).replaceAll(/\\(.)/g, '$1');
    end = match.index + whole.length;
  }
  return line.slice(end).trim() === '' ? found : undefined;
}

function normalize(values: ConnectionValues): ConnectionValues {
  const renamed = Object.entries(values).flatMap(([name, value]) => {
    const known = names[name];
    return known === undefined || value === '' ? [] : [[known, value] as const];
  });
  const { 'SSL mode': ssl, ...others } = Object.fromEntries(renamed);
  const mode = ssl?.toUpperCase().replaceAll('-', '_') ?? '';
  return { ...others, ...(sslModes.has(mode) ? { 'SSL mode': mode } : {}) };
}

function withoutEmpty(values: ConnectionValues): ConnectionValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
