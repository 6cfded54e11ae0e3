/**
 * Rotates the keys of the keystore. Each step is one change of its record, so that a crash leaves a keystore that can be
 * opened: with the old keys, the new keys or both. Repeating a rotation finishes an interrupted one.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Catalog } from '../../records/catalog.ts';
import type { KindRules } from '../../storage/port/port.ts';
import { computeKeyId } from '../core/sealer.ts';
import {
  type CloseOptions,
  closeKeystore,
  createSlot,
  KEY_BYTES,
  type KeystoreContent,
  listSlots,
  placeSlots,
  type ServerKeySlot,
  type ServerKeys,
} from './closed-keystore.ts';
import type { KeystoreFolder } from './keystore-folder.ts';
import { findKeystore, type KeystoreRecord, keepFields, writeKeystore } from './keystore-record.ts';
import { type CurrentKeystore, identifySlots, type LiveKeys } from './live-keys.ts';
import type { KeyReports } from './node-keys.ts';
import { resealSecrets } from './reseal-secrets.ts';

export interface RotationContext extends CloseOptions {
  readonly live: LiveKeys;
  /** The committed catalog, for the steps after the first one. */
  readonly committed: Catalog;
  readonly reports: KeyReports;
  readonly recordKinds: Iterable<KindRules>;
  /** The folder of the server key, unless the operator provides the key. */
  readonly keyFolder: KeystoreFolder | undefined;
  /** Serializes the work on the files of the folder. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Loads the record after a change, and reports the loaded keys. */
  readonly refresh: () => Promise<void>;
  readonly log: (message: string, details: Readonly<Record<string, unknown>>) => void;
}

/** A change of the record; undefined if nothing needs to change. */
type Edit = (current: CurrentKeystore) => Promise<Pick<KeystoreRecord, 'closed'> | undefined>;

/** Edits the record. Tries again if another node has changed it meanwhile. */
async function editKeystore(
  { live }: RotationContext,
  catalog: Catalog,
  { principal, what }: { readonly principal: Principal; readonly what: string },
  edit: Edit,
): Promise<boolean> {
  for (;;) {
    const current = live.open(await findKeystore(catalog));
    const { closed } = (await edit(current)) ?? {};
    if (closed === undefined) return false;
    const fields = { ...keepFields(current.record), closed };
    const written = await writeKeystore(catalog, principal, what, { seen: current.record, fields });
    if (written !== undefined) return true;
    await catalog.refresh();
  }
}

/** Returns the server keys of all slots; throws unless this node has them, because all slots must be encrypted again. */
export function requireSlotKeys({ closed }: Pick<CurrentKeystore, 'closed'>, serverKeys: ServerKeys): ServerKeys {
  const slots = identifySlots(closed, serverKeys);
  const missing = slots.flatMap(({ id, key }) => (key === undefined ? [id ?? 'unknown'] : []));
  const [first, ...others] = slots.flatMap(({ key }) => key ?? []);
  if (first === undefined || missing.length > 0) throw problem('server-key-missing', { keys: missing });
  return [first, ...others];
}

/**
 * Replaces the data key and encrypts all secrets with the new one. All nodes must have loaded the new key before the
 * first secret is encrypted with it. Returns the number of records that were encrypted again; undefined if the steps
 * after the first change run later, or not at all in a dry run.
 */
export async function rotateDataKey(
  context: RotationContext,
  catalog: Catalog,
  principal: Principal,
): Promise<number | undefined> {
  await editKeystore(context, catalog, { principal, what: 'prepare a new data key' }, async (current) => {
    const { content } = current;
    const serverKeys = requireSlotKeys(current, context.live.serverKeys);
    // An earlier rotation was interrupted: continue it.
    if (content.nextDataKeyId !== undefined) return undefined;
    const next = createSecretKey(context.randomBytes(KEY_BYTES));
    const otherDataKeys = [...content.otherDataKeys, next];
    const prepared = { ...content, otherDataKeys, nextDataKeyId: computeKeyId(next) };
    return { closed: await closeKeystore(prepared, serverKeys, context) };
  });
  return catalog.afterCommit(() => finishDataKey(context, principal));
}

async function finishDataKey(context: RotationContext, principal: Principal): Promise<number> {
  const { live, committed, reports, refresh, log } = context;
  await refresh();
  const { nextDataKeyId: next } = live.open(await findKeystore(committed)).content;
  if (next !== undefined) {
    const behind = await reports.waitUntil(({ dataKeys }) => dataKeys.includes(next));
    if (behind.length > 0) throw problem('keystore-nodes-behind', { nodes: behind });
    await editKeystore(context, committed, { principal, what: 'replace the data key' }, async (current) => {
      const content = activateNextKey(current.content);
      const serverKeys = requireSlotKeys(current, live.serverKeys);
      return content && { closed: await closeKeystore(content, serverKeys, context) };
    });
    await refresh();
    log('replaced the data key of the keystore', { dataKey: next });
    // Nodes that still encrypt with the old key would add secrets that must be encrypted again.
    await reports.waitUntil(({ dataKey }) => dataKey === next);
  }
  return resealAll(context, principal);
}

/** Returns undefined if another node has done it. */
function activateNextKey(content: KeystoreContent): KeystoreContent | undefined {
  const { dataKey, otherDataKeys, nextDataKeyId } = content;
  const next = otherDataKeys.find((key) => computeKeyId(key) === nextDataKeyId);
  if (next === undefined) return undefined;
  const others = otherDataKeys.filter((key) => key !== next);
  return { ...content, dataKey: next, otherDataKeys: [dataKey, ...others], nextDataKeyId: undefined };
}

async function resealAll(context: RotationContext, principal: Principal): Promise<number> {
  const { committed, live, recordKinds, log } = context;
  const records = await resealSecrets({ catalog: committed, sealer: live.sealer, recordKinds, principal });
  if (records > 0) log('encrypted secrets with the current data key', { records });
  return records;
}

/**
 * Replaces the server key in the data directory. Until the file is replaced, both keys open the keystore. Returns the id
 * of the new key; undefined if the file is replaced later, or not at all in a dry run.
 */
export async function rotateServerKey(
  context: RotationContext,
  catalog: Catalog,
  principal: Principal,
): Promise<string | undefined> {
  const { keyFolder, live, randomBytes, inTurn } = context;
  if (keyFolder === undefined) throw problem('server-key-external', {});
  const key = createSecretKey(randomBytes(KEY_BYTES));
  const what = 'replace the server key in the data directory';
  await inTurn(async () => {
    if (!catalog.isDryRun) await keyFolder.writeNextServerKey(key);
    await editKeystore(context, catalog, { principal, what }, async (current) => {
      const slots = identifySlots(current.closed, live.serverKeys).map(withoutKey);
      return { closed: placeSlots(current.closed, [createSlot(key, current.content), ...slots]) };
    });
  });
  return catalog.afterCommit(() => inTurn(() => finishServerKey(context, keyFolder, principal)));
}

function withoutKey({ id, sealedDataKey, sealedPassword }: ServerKeySlot): ServerKeySlot {
  return { id, sealedDataKey, sealedPassword };
}

async function finishServerKey(
  context: RotationContext,
  keyFolder: KeystoreFolder,
  principal: Principal,
): Promise<string | undefined> {
  const { committed, live } = context;
  const { closed } = live.open(await findKeystore(committed));
  const adopted = await keyFolder.adoptNextServerKey(listSlots(closed).flatMap(({ id }) => id ?? []));
  // Another request has replaced the key file meanwhile, and finishes its own rotation.
  if (adopted === undefined) return undefined;
  live.useServerKey(adopted);
  await removePreviousServerKeys(context, committed, principal);
  return computeKeyId(adopted);
}

/** Removes the slots of all server keys but the current one. Throws while an active node uses another server key. */
export async function removePreviousServerKeys(
  context: RotationContext,
  catalog: Catalog,
  principal: Principal,
): Promise<void> {
  const { live, reports, refresh, log } = context;
  const [current] = live.serverKeys;
  const id = computeKeyId(current);
  const using = (await reports.list()).filter(({ isHere, keys }) => !isHere && keys?.serverKey !== id);
  if (using.length > 0) throw problem('server-key-in-use', { nodes: using.map(({ node }) => node) });
  let removed: readonly string[] = [];
  const what = 'remove the previous server keys from the keystore';
  const isDone = await editKeystore(context, catalog, { principal, what }, async ({ closed, content }) => {
    const others = identifySlots(closed, live.serverKeys).filter(({ key }) => !isSameKey(key, current));
    removed = others.map((slot) => slot.id ?? 'unknown');
    return others.length === 0 ? undefined : { closed: placeSlots(closed, [createSlot(current, content)]) };
  });
  if (!isDone) return;
  await catalog.afterCommit(async () => {
    log('removed previous server keys from the keystore', { removed, serverKey: id });
    await refresh();
  });
}

function isSameKey(key: KeyObject | undefined, other: KeyObject): boolean {
  return key?.equals(other) ?? false;
}
