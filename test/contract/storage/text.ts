/** Names, keys and bodies with all kinds of text. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoint } from '../../support/code-points.ts';
import { author, type CreatePlace, draft, insert, openFresh } from './place.ts';

/** Any text without lone surrogates. */
const wholeText = fc.string({ unit: codePoint, maxLength: 20 });
const storableText = wholeText.filter((text) => !text.includes('\0'));

const half = 'a\uD83C';

export function textContract(create: CreatePlace): void {
  test.each([
    `it's`,
    '"quoted"',
    "'; DROP TABLE records; --",
    '%_*?[]\\',
    'line\nbreak\ttab\u0001\u007F',
    ' leading and trailing ',
    '\uFEFFmark',
    'e\u0301',
    '\u202Eright to left',
    '👩‍🚀 in 🌍',
    '\uFFFD',
    '__proto__',
    'x'.repeat(10_000),
  ])('the name %j is stored unchanged', async (name) => {
    const { storage } = await openFresh(create);

    const stored = await insert(storage, draft(name, { keys: { [name]: [name] }, body: { [name]: name } }));

    expect(await storage.find('workspace', null, name)).toEqual(stored);
    expect(stored.name).toBe(name);
    expect(stored.body).toEqual({ [name]: name });
    expect(await storage.findByKey('workspace', name, name, 2)).toEqual([stored]);
    expect((await storage.listChanges(0, 1))[0]?.items[0]?.after).toEqual({ parent: null, name, body: stored.body });
  });

  test('composed and decomposed letters are different names', async () => {
    const { storage } = await openFresh(create);

    await insert(storage, draft('\u00E9'));
    await insert(storage, draft('e\u0301'));

    expect(await storage.count('workspace')).toBe(2);
  });

  test('any text is read back unchanged', async () => {
    const { storage } = await openFresh(create);
    const nameOf = new Map<string, string>();

    await fc.assert(
      fc.asyncProperty(storableText, wholeText, wholeText, async (name, member, value) => {
        fc.pre(!nameOf.has(name));
        const body = { [member]: value };
        const stored = await insert(storage, draft(name, { body }));
        nameOf.set(name, stored.id);
        expect(await storage.find('workspace', null, name)).toMatchObject({ id: stored.id, name, body });
      }),
    );
  });

  test.each([half, '\uDF0Dz', 'nul\0nul', '\0'])('the text %j is rejected by every write', async (text) => {
    const { storage } = await openFresh(create);

    await expect(insert(storage, draft(text))).rejects.toThrow('cannot be stored');
    await expect(insert(storage, draft('x', { kind: text }))).rejects.toThrow('cannot be stored');
    await expect(insert(storage, draft('x', { keys: { [text]: ['v'] } }))).rejects.toThrow('cannot be stored');
    await expect(insert(storage, draft('x', { keys: { k: [text] } }))).rejects.toThrow('cannot be stored');
    await expect(insert(storage, draft('x', { parent: text }))).rejects.toThrow();
    const byText = storage.write({ who: text, what: 'w' }, (transaction) => transaction.insert(draft('x')));
    await expect(byText).rejects.toThrow('cannot be stored');
    expect(await storage.position()).toBe(0);
  });

  test('a lone surrogate in a body is rejected, an escaped backslash before the same letters is not', async () => {
    const { storage } = await openFresh(create);

    await expect(insert(storage, draft('x', { body: { deep: [{ text: half }] } }))).rejects.toThrow('cannot be stored');
    await expect(insert(storage, draft('x', { body: { [half]: 1 } }))).rejects.toThrow('cannot be stored');
    const stored = await insert(storage, draft('x', { body: { text: '\\ud83c', whole: '🌍', nul: '\0' } }));

    expect((await storage.get(stored.id))?.body).toEqual({ text: '\\ud83c', whole: '🌍', nul: '\0' });
  });

  test('a lone surrogate never finds the replacement character', async () => {
    const { storage } = await openFresh(create);
    const name = 'a\uFFFD';
    await insert(storage, draft(name, { kind: name, keys: { [name]: [name] } }));

    expect(await storage.find(name, null, half)).toBeUndefined();
    expect(await storage.find(half, null, name)).toBeUndefined();
    expect(await storage.list(half, null)).toEqual([]);
    expect(await storage.findByKey(name, name, half, 1)).toEqual([]);
    expect(await storage.findByKey(name, half, name, 1)).toEqual([]);
    expect(await storage.listNames(half, null)).toEqual([]);
    expect(await storage.listKeyValues(half, name)).toEqual([]);
    expect(await storage.listKeyValues(name, half)).toEqual([]);
    expect(await storage.count(half)).toBe(0);
    await expect(storage.list(name, null, { after: half })).rejects.toThrow('cannot be stored');
    await expect(storage.write(author, (transaction) => transaction.remove(half))).rejects.toThrow();
  });
}
