/** What earlier moves wrote to the target, and what changed there since, from the history of the target. */
import type { ServerClient } from '../../client/command.ts';
import { MoveInError } from '../report/move-in-error.ts';
import { readList } from './read-list.ts';

interface ChangeHead {
  readonly sequence: number;
  readonly what: string;
  readonly undoes: number | null;
}

interface ChangeItem {
  readonly path: string | null;
  readonly action: 'create' | 'update' | 'delete';
  readonly before?: { readonly name?: unknown } | null;
}

/** A change of the target after a move. */
export interface TargetChange {
  readonly sequence: number;
  readonly isDeleted: boolean;
}

/** The end of the description of a move. */
const MOVE = /(?:^|\()move in from ([^\n]+?)\)?$/;
const RESTORE = /^restore the state after change (\d+)$/;

const CHANGES_AT_ONCE = 1_000;

/** The description of a change, from which later moves recognize it. */
export function formatMoveMessage(source: string, text: string | undefined): string {
  const marker = `move in from ${source}`;
  return text === undefined || text === marker ? marker : `${text} (${marker})`;
}

export class PreviousMoves {
  readonly #server: ServerClient;
  /** Changes that are still effective since the first move, oldest first. */
  readonly #changes: readonly ChangeHead[];

  private constructor(server: ServerClient, changes: readonly ChangeHead[]) {
    this.#server = server;
    this.#changes = changes;
  }

  static async read(server: ServerClient): Promise<PreviousMoves> {
    const effective = selectEffective(await readHeads(server));
    const first = effective.findIndex(isMove);
    return new PreviousMoves(server, first < 0 ? [] : effective.slice(first));
  }

  get isEmpty(): boolean {
    return this.#changes.length === 0;
  }

  /** The resources that the target changed since a move wrote them, and those that were created or deleted there. */
  async listTargetChanges(): Promise<TargetChanges> {
    const changes = new TargetChanges();
    for (const head of this.#changes) {
      if (isMove(head) && changes.isEmpty) continue;
      for await (const item of this.#readItems(head)) {
        if (isMove(head)) changes.remove(item);
        else changes.add(item, head.sequence);
      }
    }
    return changes;
  }

  /** The paths of the resources that moves from this source created. */
  async listCreated(source: string): Promise<ReadonlySet<string>> {
    const moves = this.#changes.flatMap((head) => (isMove(head) ? [{ head, name: findSource(head) }] : []));
    const known = moves.filter(({ name }) => name === source);
    if (known.length === 0 && moves.length > 0) {
      const names = [...new Set(moves.map(({ name }) => `'${name}'`))].join(', ');
      throw new MoveInError(
        'source-unknown',
        `No earlier move in the history is from '${source}', but from ${names}. Use --source-name NAME to delete what such a move created.`,
      );
    }
    const created = new Set<string>();
    for (const { head } of known) {
      for await (const { path, action } of this.#readItems(head)) {
        if (path !== null && action === 'create') created.add(path);
      }
    }
    return created;
  }

  /** Moves can have hundreds of thousands of items, whose fields are not needed. */
  async *#readItems(head: ChangeHead): AsyncGenerator<ChangeItem> {
    const query = [
      ['after', String(head.sequence - 1)],
      ['order', 'asc'],
      ['limit', '1'],
    ] as const;
    const reply = await this.#server.send(
      isMove(head) ? { path: '/history', query } : { path: `/history/${head.sequence}` },
    );
    yield* readList<ChangeItem>(reply.pieces, 'items');
  }
}

/** Resources by path. A renamed or moved resource is missing at its former path, with everything below it. */
export class TargetChanges {
  readonly #changes = new Map<string, TargetChange>();
  readonly #renamed = new Map<string, TargetChange>();

  get isEmpty(): boolean {
    return this.#changes.size === 0 && this.#renamed.size === 0;
  }

  add({ path, action, before }: ChangeItem, sequence: number): void {
    if (path === null) return;
    this.#changes.set(path, { sequence, isDeleted: action === 'delete' });
    const name = before?.name;
    const former = typeof name === 'string' ? replaceName(path, name) : path;
    if (action === 'update' && former !== path) this.#renamed.set(former, { sequence, isDeleted: true });
  }

  /** A move wrote the resource. */
  remove({ path }: ChangeItem): void {
    if (path === null) return;
    this.#changes.delete(path);
    this.#renamed.delete(path);
  }

  find(path: string): TargetChange | undefined {
    const own = this.#changes.get(path);
    if (own !== undefined || this.#renamed.size === 0) return own;
    for (const [former, change] of this.#renamed) {
      if (path === former || path.startsWith(`${former}/`)) return change;
    }
    return undefined;
  }
}

function replaceName(path: string, name: string): string {
  return `${path.slice(0, path.lastIndexOf('/') + 1)}${encodeURIComponent(name)}`;
}

async function readHeads(server: ServerClient): Promise<readonly ChangeHead[]> {
  const heads: ChangeHead[] = [];
  for (;;) {
    const after = heads.at(-1)?.sequence;
    const query = [
      ['order', 'asc'],
      ['items', 'none'],
      ['limit', String(CHANGES_AT_ONCE)],
      ['after', after === undefined ? undefined : String(after)],
    ] as const;
    const { changes } = JSON.parse(await (await server.send({ path: '/history', query })).text()) as {
      readonly changes: readonly ChangeHead[];
    };
    for (const { sequence, what, undoes } of changes) heads.push({ sequence, what, undoes });
    if (changes.length < CHANGES_AT_ONCE) return heads;
  }
}

/** Without undone changes and their undos, and without changes before a state that was restored. */
function selectEffective(heads: readonly ChangeHead[]): readonly ChangeHead[] {
  const undone = new Set<number>();
  const effective: ChangeHead[] = [];
  let restored = Number.POSITIVE_INFINITY;
  for (const head of heads.toReversed()) {
    const { sequence, what, undoes } = head;
    if (undone.has(sequence) || sequence > restored) continue;
    const [, state] = RESTORE.exec(what) ?? [];
    if (undoes !== null) undone.add(undoes);
    else if (state !== undefined) restored = Number(state);
    else effective.push(head);
  }
  return effective.toReversed();
}

function isMove({ what }: ChangeHead): boolean {
  return MOVE.test(what);
}

function findSource({ what }: ChangeHead): string {
  return toSourceName(MOVE.exec(what)?.[1] ?? '');
}

/** The name of an archive of a directory is that of the directory. */
export function toSourceName(label: string): string {
  return label.replace(/\.zip$/i, '');
}
