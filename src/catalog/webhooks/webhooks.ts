/** Manages webhooks. */
import type { UrlGate } from '../../gates/url-gate.ts';
import type { Principal } from '../../lib/identity/principal.ts';
import type { Secret } from '../../lib/identity/secret.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { Page } from '../../lib/text/page.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { checkName, resolveNewName } from '../../records/names.ts';
import { isSealOf } from '../../security/core/match-secret.ts';
import type { Sealer } from '../../security/core/sealer.ts';
import { type Webhook, webhookKind } from './webhook.ts';

/** The webhook fields that a client can set: an absent field stays unchanged, null clears it. */
export interface WebhookDraft {
  readonly name?: string | null;
  readonly url?: string | null;
  readonly secret?: string | null;
  readonly enabled?: boolean | null;
  readonly kinds?: readonly string[] | null;
  readonly paths?: readonly string[] | null;
  readonly expand?: boolean | null;
}

/** The dependencies for creating webhooks. */
export interface WebhookServices {
  readonly catalog: Catalog;
  readonly urlGate: Pick<UrlGate, 'check'>;
  readonly sealer: Sealer;
  /** The record kinds that events can contain. */
  readonly eventKinds: readonly string[];
}

/** HMAC hashes keys that are longer than its block anyway. */
const MAX_SECRET_LENGTH = 1_000;
const MAX_ENTRIES = 100;
const MAX_ENTRY_LENGTH = 1_000;

const nameRule = { what: 'webhook', field: 'webhook.name' };

export function listWebhooks(catalog: CatalogReader, page?: Page): Promise<readonly Webhook[]> {
  return catalog.list(webhookKind, null, page);
}

export async function findWebhook(catalog: CatalogReader, name: string): Promise<Webhook> {
  const webhook = await catalog.find(webhookKind, null, name);
  if (webhook === undefined) {
    throw problem('webhook-unknown', { name });
  }
  return webhook;
}

export async function webhookExists(catalog: CatalogReader, name: string): Promise<boolean> {
  return (await catalog.find(webhookKind, null, name)) !== undefined;
}

/** Creates a webhook, which receives the changes after its creation. */
export async function createWebhook(
  services: WebhookServices,
  principal: Principal,
  draft: WebhookDraft,
): Promise<Webhook> {
  const name = draft.name ?? '';
  checkName(name, nameRule);
  const webhook = { parent: null, name, ...mergeWebhookFields(undefined, draft, services) };
  await checkUrlAllowed(services.urlGate, webhook.url);
  return services.catalog.change(principal, `create webhook ${name}`, async (transaction) => {
    await checkNameAvailable(transaction, name);
    return transaction.insert(webhookKind, webhook);
  });
}

export async function changeWebhook(
  services: WebhookServices,
  principal: Principal,
  name: string,
  { draft, precondition }: { readonly draft: WebhookDraft; readonly precondition: Precondition },
): Promise<void> {
  const before = await findWebhook(services.catalog, name);
  const { url, enabled } = mergeWebhookFields(before, draft, services);
  // A webhook whose URL is no longer allowed can still be disabled.
  if (enabled || url !== before.url) {
    await checkUrlAllowed(services.urlGate, url);
  }
  await services.catalog.change(principal, `change webhook ${name}`, async (transaction) => {
    const current = await findWebhook(transaction, name);
    checkPrecondition(precondition, current.version);
    const changed: Webhook = {
      ...current,
      ...mergeWebhookFields(current, draft, services),
      name: resolveNewName(current.name, draft.name, nameRule),
    };
    if (changed.name !== current.name) {
      await checkNameAvailable(transaction, changed.name);
    }
    await transaction.update(webhookKind, changed);
  });
}

export async function deleteWebhook(
  catalog: Catalog,
  principal: Principal,
  name: string,
  { precondition }: { readonly precondition: Precondition },
): Promise<void> {
  await catalog.change(principal, `delete webhook ${name}`, async (transaction) => {
    const webhook = await findWebhook(transaction, name);
    checkPrecondition(precondition, webhook.version);
    await transaction.removeDeep(webhook.id);
  });
}

type WebhookFields = Pick<Webhook, 'url' | 'sealedSecret' | 'enabled' | 'kinds' | 'paths' | 'expand'>;

function mergeWebhookFields(
  current: Webhook | undefined,
  draft: WebhookDraft,
  { sealer, eventKinds }: Pick<WebhookServices, 'sealer' | 'eventKinds'>,
): WebhookFields {
  checkKindsKnown(draft.kinds ?? [], eventKinds);
  const url = (draft.url === undefined ? current?.url : draft.url) ?? '';
  if (url === '') {
    throw createInvalidFieldProblem('url', 'is required and must not be empty');
  }
  return {
    url,
    sealedSecret: mergeSecret(current, draft.secret, sealer),
    enabled: (draft.enabled === undefined ? current?.enabled : draft.enabled) ?? true,
    kinds: mergeEntries('kinds', current?.kinds, draft.kinds),
    paths: mergeEntries('paths', current?.paths, draft.paths),
    expand: (draft.expand === undefined ? current?.expand : draft.expand) ?? false,
  };
}

function mergeSecret(current: Webhook | undefined, sent: string | null | undefined, sealer: Sealer): Secret | null {
  if (sent === undefined) {
    return current?.sealedSecret ?? null;
  }
  if (sent === '' || (sent !== null && (sent.length > MAX_SECRET_LENGTH || !sent.isWellFormed()))) {
    throw createInvalidFieldProblem(
      'secret',
      `text of 1 to ${MAX_SECRET_LENGTH} characters was expected, or null for none`,
    );
  }
  if (sent === null) {
    return null;
  }
  // Encrypting the same secret again would produce a different record, and so a change without effect.
  const sealed = current?.sealedSecret ?? null;
  return sealed !== null && isSealOf(sealer, sealed, sent) ? sealed : sealer.seal(sent);
}

function checkKindsKnown(kinds: readonly string[], eventKinds: readonly string[]): void {
  const unknown = kinds.find((kind) => !eventKinds.includes(kind));
  if (unknown !== undefined) {
    const allowed = eventKinds.toSorted().join(', ');
    throw createInvalidFieldProblem(
      'kinds',
      `unknown kind '${excerpt(unknown)}'; expected a list of kinds: ${allowed}`,
    );
  }
}

function mergeEntries(
  field: 'kinds' | 'paths',
  current: readonly string[] | undefined,
  sent: readonly string[] | null | undefined,
): readonly string[] {
  const entries = (sent === undefined ? current : sent) ?? [];
  const isValidEntry = (entry: string) =>
    entry !== '' && entry.length <= MAX_ENTRY_LENGTH && entry.isWellFormed() && (field === 'kinds' || entry[0] === '/');
  if (entries.length > MAX_ENTRIES || !entries.every(isValidEntry)) {
    const what = field === 'kinds' ? 'kinds such as workspace' : 'paths that begin with a slash';
    throw createInvalidFieldProblem(field, `at most ${MAX_ENTRIES} ${what} were expected`);
  }
  return entries;
}

/** An unresolvable host is accepted, since each delivery checks the URL again. */
async function checkUrlAllowed(urlGate: WebhookServices['urlGate'], url: string): Promise<void> {
  const decision = await urlGate.check(url);
  if (decision.kind === 'refused') {
    throw problem('url-refused', { url: decision.shown, reason: decision.reason, field: 'webhook.url' });
  }
}

async function checkNameAvailable(catalog: CatalogReader, name: string): Promise<void> {
  if (await webhookExists(catalog, name)) {
    throw problem('webhook-exists', { name, field: nameRule.field });
  }
}

function createInvalidFieldProblem(field: string, message: string): Problem {
  const at = `webhook.${field}`;
  return problem('document-invalid', { complaints: [{ field: at, message }], field: at });
}
