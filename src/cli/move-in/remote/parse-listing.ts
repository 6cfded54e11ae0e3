/** Parses the listing of a directory as `/rest/resource/{path}?format=json` returns it. */

export interface ListedChild {
  readonly name: string;
  /** Whether it can be a directory; the listing does not say so of JSON files. */
  readonly canBeDirectory: boolean;
}

export interface Listing {
  readonly children: readonly ListedChild[];
  /** The number of names that no file of a data directory can have. */
  readonly ignored: number;
}

/** Returns undefined for a document of another form. */
export function parseListing(bytes: Buffer): Listing | undefined {
  const directory = readMember(parseJson(bytes), 'ResourceDirectory');
  if (!isObject(directory)) return undefined;
  const listed = readMember(readMember(directory, 'children'), 'child');
  // An empty directory has no children, and a single child is not in a list.
  const items: readonly unknown[] = Array.isArray(listed) ? listed : isObject(listed) ? [listed] : [];
  const children = new Map<string, ListedChild>();
  let ignored = 0;
  for (const item of items) {
    const name = readName(item);
    if (name === undefined || !isPlainName(name)) {
      ignored += 1;
      continue;
    }
    const type = readMember(readMember(item, 'link'), 'type');
    const canBeDirectory = typeof type !== 'string' || /^application\/json\b/i.test(type);
    children.set(name, { name, canBeDirectory });
  }
  return { children: [...children.values()], ignored };
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Names that look like numbers or booleans are written as such: `007` as 7. The link has the text. */
function readName(item: unknown): string | undefined {
  const name = readMember(item, 'name');
  if (typeof name === 'string') return name;
  if (typeof name !== 'number' && typeof name !== 'boolean') return undefined;
  const href = readMember(readMember(item, 'link'), 'href');
  const segment = typeof href === 'string' ? (href.split(/[?#]/)[0]?.split('/').at(-1) ?? '') : '';
  let text = segment;
  try {
    text = decodeURIComponent(segment);
  } catch {
    // The comparison decides.
  }
  const isSame = typeof name === 'boolean' ? text.toLowerCase() === String(name) : Number(text) === name;
  return isSame && text !== '' ? text : String(name);
}

/** Longer names do not exist on any file system. */
const MAX_NAME_BYTES = 255;

function isPlainName(name: string): boolean {
  const isOdd = name === '' || name === '.' || name === '..' || /[/\\\p{Cc}]/u.test(name) || !name.isWellFormed();
  return !isOdd && Buffer.byteLength(name) <= MAX_NAME_BYTES;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readMember(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
