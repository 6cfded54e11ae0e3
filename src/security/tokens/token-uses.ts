/** When and from where tokens were last used. It is not part of the configuration, and other nodes see it later. */
import type { Notes } from '../../storage/port/port.ts';

export interface TokenUse {
  readonly atMs: number;
  /** The address of the client. */
  readonly from: string;
}

export interface TokenUsesOptions {
  readonly notes: Pick<Notes, 'read' | 'update'>;
  /** Uses are written this long after the first of them. */
  readonly flushMs: number;
  readonly onError: (reason: unknown) => void;
}

type StoredUses = Readonly<Record<string, TokenUse>>;

export class TokenUses {
  readonly #options: TokenUsesOptions;
  /** The uses on this node. */
  readonly #here = new Map<string, TokenUse>();
  /** Null for deleted tokens. */
  #unwritten = new Map<string, TokenUse | null>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: TokenUsesOptions) {
    this.#options = options;
  }

  record(id: string, use: TokenUse): void {
    this.#here.set(id, use);
    this.#write(id, use);
  }

  /** The last use on this node. */
  findHere(id: string): TokenUse | undefined {
    return this.#here.get(id);
  }

  forget(id: string): void {
    this.#here.delete(id);
    this.#write(id, null);
  }

  /** The last use on any node. */
  async find(id: string): Promise<TokenUse | undefined> {
    return this.#newest(id, await this.#readNote(toNoteName(id)));
  }

  async findAll(ids: readonly string[]): Promise<ReadonlyMap<string, TokenUse>> {
    const found = new Map<string, TokenUse>();
    for (const [name, members] of Map.groupBy(ids, toNoteName)) {
      const stored = await this.#readNote(name);
      for (const id of members) {
        const use = this.#newest(id, stored);
        if (use !== undefined) found.set(id, use);
      }
    }
    return found;
  }

  /** Writes the remaining uses. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#flush();
    await this.#writing;
  }

  #newest(id: string, stored: StoredUses): TokenUse | undefined {
    const [here, other] = [this.#here.get(id), stored[id]];
    return here === undefined || (other !== undefined && other.atMs > here.atMs) ? other : here;
  }

  async #readNote(name: string): Promise<StoredUses> {
    return parseUses(await this.#options.notes.read(name));
  }

  #write(id: string, use: TokenUse | null): void {
    this.#unwritten.set(id, use);
    this.#timer ??= setTimeout(() => this.#flush(), this.#options.flushMs).unref();
  }

  #flush(): void {
    this.#timer = undefined;
    const uses = this.#unwritten;
    this.#unwritten = new Map();
    this.#writing = this.#writing.then(async () => {
      try {
        for (const [name, members] of Map.groupBy(uses, ([id]) => toNoteName(id))) {
          await this.#options.notes.update(name, (text) => JSON.stringify(mergeUses(parseUses(text), members)));
        }
      } catch (error) {
        this.#options.onError(error);
      }
    });
  }
}

/** Tokens are spread over several notes, so that each write is small. */
function toNoteName(id: string): string {
  return `token-uses/${id.slice(0, 1)}`;
}

function parseUses(text: string | undefined): StoredUses {
  // This module wrote the text.
  return text === undefined ? {} : (JSON.parse(text) as StoredUses);
}

function mergeUses(stored: StoredUses, uses: readonly (readonly [string, TokenUse | null])[]): StoredUses {
  const merged = new Map(Object.entries(stored));
  for (const [id, use] of uses) {
    if (use === null) merged.delete(id);
    else if ((merged.get(id)?.atMs ?? 0) < use.atMs) merged.set(id, use);
  }
  return Object.fromEntries(merged);
}
