/** Records of earlier program versions are upgraded when the storage is opened. */
import { expect, test, vi } from 'vitest';
import type { JsonObject, KindRules } from '../../../src/storage/port/port.ts';
import { recordProgramVersion } from '../../../src/storage/port/program-version.ts';
import { plainKinds } from '../../support/plain-kinds.ts';
import { author, type CreatePlace, draft, insert, insertAll, namesOf, openFresh } from './place.ts';

/** Roads had a `wide` flag in the old version; the new version has a lane count, which is also a key. */
const lanes: KindRules = {
  kind: 'road',
  bodyVersion: 2,
  keyNames: ['lanes'],
  upgrade: ({ wide, ...rest }: JsonObject) => ({ ...rest, lanes: wide === true ? 4 : 2 }),
  index: ({ body }) => ({ keys: { lanes: [String(body['lanes'])] }, files: [`sign-${String(body['lanes'])}`] }),
  mask: (body) => body,
};

export function kindContract(create: CreatePlace): void {
  test('bodies are upgraded, and old records are found by a new key', async () => {
    const { storage, reopen } = await openFresh(create, { kinds: plainKinds('road') });
    const [a1, b1] = await insertAll(storage, [
      draft('a1', { kind: 'road', body: { wide: true } }),
      draft('b1', { kind: 'road', body: {} }),
    ]);

    const again = await reopen({ kinds: [lanes] });

    expect(await again.get(a1?.id ?? '')).toEqual({ ...a1, body: { lanes: 4 } });
    expect(await again.get(b1?.id ?? '')).toEqual({ ...b1, body: { lanes: 2 } });
    expect(namesOf(await again.findByKey('road', 'lanes', '4', 10))).toEqual(['a1']);
    expect(await again.isFileReferenced('sign-4', 0)).toBe(true);
    expect(again.position()).toBe(2);
    expect(await again.findIntegrityProblems()).toEqual([]);
  });

  test('old log entries are returned in the current form', async () => {
    const { storage, reopen } = await openFresh(create, { kinds: plainKinds('road') });
    const road = await insert(storage, draft('a1', { kind: 'road', body: { wide: true } }));

    const again = await reopen({ kinds: [lanes] });
    await again.write(author, (transaction) =>
      transaction.update(road.id, draft('a1', { kind: 'road', body: { lanes: 6 } })),
    );

    const items = (await again.listChanges(0, 10)).flatMap((entry) => entry.items);
    expect(items.map(({ before, after }) => [before?.body, after?.body])).toEqual([
      [undefined, { lanes: 4 }],
      [{ lanes: 4 }, { lanes: 6 }],
    ]);
  });

  test('records are upgraded once', async () => {
    const { storage, reopen } = await openFresh(create, { kinds: plainKinds('road') });
    await insert(storage, draft('a1', { kind: 'road', body: { wide: true } }));
    await reopen({ kinds: [lanes] });
    const upgrade = vi.fn(lanes.upgrade);
    const counting = { ...lanes, upgrade };

    const again = await reopen({ kinds: [counting] });

    expect(await again.find('road', null, 'a1')).toMatchObject({ body: { lanes: 4 } });
    expect(upgrade).not.toHaveBeenCalled();
  });

  test('a failed upgrade leaves everything unchanged', async () => {
    const { storage, reopen } = await openFresh(create, { kinds: plainKinds('road') });
    await insertAll(storage, [
      draft('a1', { kind: 'road', body: { wide: true } }),
      draft('b1', { kind: 'road', body: { broken: true } }),
    ]);
    const failing: KindRules = {
      ...lanes,
      upgrade: (body, from) => {
        if ('broken' in body) throw new Error('cannot be upgraded');
        return lanes.upgrade(body, from);
      },
    };

    await expect(reopen({ kinds: [failing] })).rejects.toThrow('cannot be upgraded');

    const again = await reopen({ kinds: plainKinds('road') });
    expect((await again.find('road', null, 'a1'))?.body).toEqual({ wide: true });
  });

  test('records of a newer version are rejected', async () => {
    const { reopen } = await openFresh(create, { kinds: [lanes] });

    await expect(reopen({ kinds: plainKinds('road') })).rejects.toThrow('newer version');
  });

  test('the rejection of records names the newest version that has used the storage', async () => {
    const { storage, reopen } = await openFresh(create, { kinds: [lanes] });
    for (const version of ['0.9.0', '0.10.2', '0.10.1']) await recordProgramVersion(storage.notes, version);

    await expect(reopen({ kinds: plainKinds('road') })).rejects.toThrow(
      /: start Graticule 0\.10\.2 or later, or restore a backup made before the upgrade\.$/,
    );
  });

  test('the log hides the body of an unknown kind, because its secrets are unknown', async () => {
    const { storage } = await openFresh(create, { kinds: [] });

    await insert(storage, draft('acme', { body: { password: 'sealed' } }));

    expect((await storage.listChanges(0, 1))[0]?.items[0]?.after?.body).toEqual({});
  });
}
