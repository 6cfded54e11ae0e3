import { describe, expect, it } from 'vitest';
import { freshCatalog } from '../../test/support/keystores.ts';
import type { Catalog } from './catalog.ts';
import type { RecordBase } from './record.ts';
import { createLinkedKind, createReferences, type LinkedKind, type NameChange, toAnyLinkedKind } from './references.ts';
import { workspaceKind } from './workspace.ts';

/**
 * Shelves contain books; notes refer to books; tickets refer to one book and are deleted with it; one record refers to
 * a favourite; lists refer to books and other lists, and are deleted when they are empty.
 */
interface Shelf extends RecordBase {
  readonly kind: 'shelf';
}
interface Book extends RecordBase {
  readonly kind: 'book';
}
interface Note extends RecordBase {
  readonly kind: 'note';
  readonly books: readonly string[];
}
interface Ticket extends RecordBase {
  readonly kind: 'ticket';
  readonly book: string;
}
interface List extends RecordBase {
  readonly kind: 'list';
  readonly entries: readonly string[];
}
interface Favourite extends RecordBase {
  readonly kind: 'favourite';
  readonly book: string | null;
}

const plain = { keys: {}, secrets: {} };

const shelfKind: LinkedKind<Shelf> = createLinkedKind({ kind: 'shelf', ...plain }, { livesIn: [], references: [] });
const bookKind: LinkedKind<Book> = createLinkedKind({ kind: 'book', ...plain }, { livesIn: ['shelf'], references: [] });
const noteKind: LinkedKind<Note> = createLinkedKind<Note>(
  { kind: 'note', keys: { initial: ({ name }) => [name.slice(0, 1)] }, secrets: {} },
  {
    livesIn: ['shelf'],
    references: [
      {
        to: 'book',
        key: 'book',
        ids: ({ books }) => books,
        blocker: async (_reader, { name }) => `note '${name}'`,
        onDelete: async (_reader, note, goneId) => ({ ...note, books: note.books.filter((id) => id !== goneId) }),
      },
    ],
  },
);
const ticketKind: LinkedKind<Ticket> = createLinkedKind<Ticket>(
  { kind: 'ticket', ...plain },
  { livesIn: [], references: [{ to: 'book', key: 'book', ids: ({ book }) => [book], onDelete: 'cascades' }] },
);
const favouriteKind: LinkedKind<Favourite> = createLinkedKind<Favourite>(
  { kind: 'favourite', ...plain },
  {
    livesIn: [],
    references: [
      {
        to: 'book',
        ids: ({ book }) => (book === null ? [] : [book]),
        onDelete: async (_reader, favourite) => ({ ...favourite, book: null }),
      },
    ],
  },
);

const entries = {
  ids: (list: Pick<List, 'entries'>) => list.entries,
  onDelete: async (_reader: unknown, list: List, goneId: string) => {
    const left = list.entries.filter((id) => id !== goneId);
    return left.length === 0 ? null : { ...list, entries: left };
  },
};
const listKind: LinkedKind<List> = createLinkedKind<List>(
  { kind: 'list', ...plain },
  {
    livesIn: [],
    references: [
      { to: 'book', key: 'book', ...entries },
      { to: 'list', key: 'list', ...entries },
    ],
  },
);

const kinds = [
  toAnyLinkedKind(shelfKind),
  toAnyLinkedKind(bookKind),
  toAnyLinkedKind(noteKind),
  toAnyLinkedKind(ticketKind),
  toAnyLinkedKind(favouriteKind),
  toAnyLinkedKind(listKind),
];
const references = createReferences(kinds, []);
const ann = { name: 'ann', roles: new Set<string>() };

/**
 * Two shelves with one book each. The notes `inside` and `outside`, a ticket and a favourite refer to the first book.
 */
async function library() {
  const { catalog } = await freshCatalog();
  const records = await catalog.change(ann, 'fill', async (transaction) => {
    const shelf = await transaction.insert(shelfKind, { parent: null, name: 'first' });
    const other = await transaction.insert(shelfKind, { parent: null, name: 'second' });
    const book = await transaction.insert(bookKind, { parent: shelf.id, name: 'atlas' });
    const kept = await transaction.insert(bookKind, { parent: other.id, name: 'globe' });
    const inside = await transaction.insert(noteKind, { parent: shelf.id, name: 'inside', books: [book.id] });
    const outside = await transaction.insert(noteKind, {
      parent: other.id,
      name: 'outside',
      books: [kept.id, book.id, book.id],
    });
    const ticket = await transaction.insert(ticketKind, { parent: null, name: 't', book: book.id });
    const favourite = await transaction.insert(favouriteKind, { parent: null, name: 'f', book: book.id });
    return { shelf, other, book, kept, inside, outside, ticket, favourite };
  });
  return { catalog, ...records };
}

function remove(catalog: Catalog, record: Parameters<typeof references.remove>[1]): Promise<void> {
  return catalog.change(ann, 'remove', (transaction) => references.remove(transaction, record));
}

describe('kind with declared references', () => {
  it('is found by its references and by its other keys', async () => {
    const { catalog, book, inside, outside } = await library();

    expect(await catalog.findByKey(noteKind, 'book', book.id, 10)).toEqual([inside, outside]);
    expect(await catalog.findByKey(noteKind, 'initial', 'o', 10)).toEqual([outside]);
  });
});

describe('blockers of a deletion', () => {
  it('include the contents of a record', async () => {
    const { catalog, shelf } = await library();

    expect(await references.findBlockers(catalog, shelf)).toEqual({
      first: ["book 'atlas'", "note 'inside'"],
      total: 2,
    });
  });

  it('include referring records unless they are deleted or released automatically', async () => {
    const { catalog, book, kept } = await library();

    expect(await references.findBlockers(catalog, book)).toEqual({
      first: ["note 'inside'", "note 'outside'"],
      total: 2,
    });
    expect(await references.findBlockers(catalog, kept)).toEqual({ first: ["note 'outside'"], total: 1 });
  });

  it('can be restricted by a filter', async () => {
    const { catalog, shelf, book } = await library();

    const elsewhere = await references.findBlockers(catalog, book, ({ parent }) => parent !== shelf.id);

    expect(elsewhere).toEqual({ first: ["note 'outside'"], total: 1 });
  });

  it('lists the first ten blockers and the total count', async () => {
    const { catalog, shelf, book } = await library();
    await catalog.change(ann, 'write notes', async (transaction) => {
      for (let count = 10; count < 30; count += 1) {
        await transaction.insert(noteKind, { parent: shelf.id, name: `n${count}`, books: [book.id] });
      }
    });

    const { first, total } = await references.findBlockers(catalog, book);

    expect(first).toHaveLength(10);
    expect(total).toBe(22);
  });
});

describe('record deletion', () => {
  it('releases some referring records and deletes others', async () => {
    const { catalog, book, kept, inside, outside, ticket, favourite } = await library();

    await remove(catalog, book);

    expect((await catalog.get(noteKind, inside.id))?.books).toEqual([]);
    expect((await catalog.get(noteKind, outside.id))?.books).toEqual([kept.id]);
    expect(await catalog.get(ticketKind, ticket.id)).toBeUndefined();
    expect((await catalog.get(favouriteKind, favourite.id))?.book).toBeNull();
  });

  it('deletes the contents and releases the records that refer to them', async () => {
    const { catalog, shelf, book, kept, inside, outside, ticket } = await library();

    await remove(catalog, shelf);

    expect(await catalog.get(bookKind, book.id)).toBeUndefined();
    expect(await catalog.get(noteKind, inside.id)).toBeUndefined();
    expect((await catalog.get(noteKind, outside.id))?.books).toEqual([kept.id]);
    expect(await catalog.get(ticketKind, ticket.id)).toBeUndefined();
  });

  it('deletes records that become empty, and records that become empty in turn', async () => {
    const { catalog, book, kept } = await library();
    const [alone, both, outer, rest] = await catalog.change(ann, 'list', async (transaction) => {
      const insert = (name: string, listed: readonly string[]) =>
        transaction.insert(listKind, { parent: null, name, entries: listed });
      const first = await insert('alone', [book.id]);
      const second = await insert('both', [book.id, first.id]);
      const third = await insert('outer', [second.id]);
      return [first, second, third, await insert('rest', [third.id, kept.id, book.id])] as const;
    });

    await remove(catalog, book);

    for (const { id } of [alone, both, outer]) {
      expect(await catalog.get(listKind, id)).toBeUndefined();
    }
    expect((await catalog.get(listKind, rest.id))?.entries).toEqual([kept.id]);
  });

  it('releases many referring records', async () => {
    const { catalog, other, book, kept } = await library();
    await catalog.change(ann, 'write notes', async (transaction) => {
      for (let count = 0; count < 500; count += 1) {
        await transaction.insert(noteKind, { parent: other.id, name: `n${count}`, books: [book.id, kept.id] });
      }
    });

    await remove(catalog, book);

    expect(await catalog.findByKey(noteKind, 'book', book.id, 1)).toEqual([]);
    expect(await catalog.findByKey(noteKind, 'book', kept.id, 1_000)).toHaveLength(501);
  });

  it('fails if a kind does not release a declared reference', async () => {
    const stubborn: LinkedKind<Note> = createLinkedKind<Note>(
      { kind: 'note', ...plain },
      {
        livesIn: [],
        references: [{ to: 'book', key: 'book', ids: ({ books }) => books, onDelete: async (_, note) => note }],
      },
    );
    const { catalog, book } = await library();
    const withStubborn = createReferences([toAnyLinkedKind(stubborn)], []);

    const removal = catalog.change(ann, 'remove', (transaction) => withStubborn.remove(transaction, book));

    await expect(removal).rejects.toThrow('still refers to');
    expect(await catalog.get(bookKind, book.id)).toEqual(book);
  });
});

describe('kinds that store names', () => {
  it('receive renames and workspace deletions', async () => {
    const reported: NameChange[] = [];
    const { catalog } = await freshCatalog();
    const following = createReferences(kinds, [async (_transaction, changes) => void reported.push(...changes)]);
    const rename: NameChange = { kind: 'layer', from: ['topp', 'states'], to: ['topp', 'lands'] };

    await catalog.change(ann, 'test', async (transaction) => {
      const workspace = { parent: null, name: 'topp', uri: 'u', isolated: false, metadata: {} };
      await following.followNameChanges(transaction, [rename]);
      await following.remove(transaction, await transaction.insert(workspaceKind, workspace));
    });

    expect(reported).toEqual([rename, { kind: 'workspace', from: ['topp'], to: null }]);
  });
});
