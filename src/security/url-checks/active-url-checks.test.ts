import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { noPrecondition } from '../../lib/problems/precondition.ts';
import { openCatalog } from '../../records/catalog.ts';
import { recordKinds } from '../../server/storage/record-kinds.ts';
import { openSqliteStorage } from '../../storage/sqlite/open.ts';
import { ruleSetKind } from '../access-rules/rule-records.ts';
import { serverPrincipal as me } from '../core/administrator.ts';
import { createActiveUrlChecks } from './active-url-checks.ts';
import { urlCheckKind } from './url-check.ts';
import { changeUrlCheck, createUrlCheck, deleteUrlCheck } from './url-checks.ts';

async function trial() {
  const directory = await mkdtemp(join(tmpdir(), 'graticule-checks-'));
  const storage = await openSqliteStorage({
    file: join(directory, 'graticule.sqlite'),
    clock: Date.now,
    kinds: recordKinds,
  });
  onTestFinished(async () => {
    await storage.close();
    await rm(directory, { recursive: true });
  });
  const catalog = openCatalog(storage);
  const active = createActiveUrlChecks(catalog);
  const matching = async (url: string) =>
    (await active()).filter((check) => check.matches(url)).map((check) => check.name);
  return { catalog, active, matching };
}

it('applies every change to the next decision', async () => {
  const { catalog, matching } = await trial();
  const options = { precondition: noPrecondition, absentEnabled: 'keeps' } as const;
  expect(await matching('http://a/')).toEqual([]);

  await createUrlCheck(catalog, me, { name: 'one', regex: 'http://a/', enabled: true });
  expect(await matching('http://a/')).toEqual(['one']);
  await createUrlCheck(catalog, me, { name: 'two', regex: 'http://.*' });
  expect(await matching('http://a/')).toEqual(['one']);
  await changeUrlCheck(catalog, me, 'two', { draft: { enabled: true }, ...options });
  expect(await matching('http://a/')).toEqual(['one', 'two']);
  await changeUrlCheck(catalog, me, 'one', { draft: { name: 'uno', regex: 'http://b/' }, ...options });
  expect(await matching('http://a/')).toEqual(['two']);
  expect(await matching('http://b/')).toEqual(['two', 'uno']);
  await deleteUrlCheck(catalog, me, 'two', { precondition: noPrecondition });
  expect(await matching('http://b/')).toEqual(['uno']);
});

it('does not read the checks again while only other records change', async () => {
  const { catalog, active } = await trial();
  await createUrlCheck(catalog, me, { name: 'one', regex: 'a', enabled: true });
  const before = await active();

  await catalog.change(me, 'something else', (transaction) =>
    transaction.insert(ruleSetKind, { parent: null, name: 'layers', changes: 0, nextPosition: 0 }),
  );

  expect(await active()).toBe(before);
});

it('activates checks that were created before their set had a version, and later ones', async () => {
  const { catalog, matching } = await trial();
  await catalog.change(me, 'as an older version did', (transaction) =>
    transaction.insert(urlCheckKind, {
      parent: null,
      name: 'old',
      description: null,
      enabled: true,
      regex: 'http://.*',
    }),
  );
  expect(await matching('http://a/')).toEqual(['old']);

  await createUrlCheck(catalog, me, { name: 'young', regex: 'http://a/', enabled: true });

  expect(await matching('http://a/')).toEqual(['old', 'young']);
});

it('ignores a check whose regex is no longer valid, without affecting other checks', async () => {
  const { catalog, matching } = await trial();
  const draft = { parent: null, description: null, enabled: true };
  await catalog.change(me, 'as an older version may have done', async (transaction) => {
    await transaction.insert(urlCheckKind, { ...draft, name: 'broken', regex: 'http://a/(?=x).*' });
    await transaction.insert(urlCheckKind, { ...draft, name: 'good', regex: 'http://a/.*' });
  });

  expect(await matching('http://a/x')).toEqual(['good']);
});
