/** Manages stored queries, which are global or belong to a workspace. */
import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { Page } from '../../lib/text/page.ts';
import type { Catalog, CatalogReader, CatalogTransaction } from '../../records/catalog.ts';
import { checkName, formatPrintableName, resolveNewName } from '../../records/names.ts';
import type { DraftOf } from '../../records/record.ts';
import type { Workspace } from '../../records/workspace.ts';
import { type StoredQuery, type StoredQueryParameter, storedQueryKind } from '../kinds/stored-query.ts';
import { findWorkspace, workspaceExists } from '../workspaces/workspaces.ts';
import { offeredTypes, readTypeName } from './parameter-types.ts';
import { findQueryFault } from './query-text.ts';

/** An absent field stays unchanged, null clears it. */
export interface StoredQueryDraft {
  readonly name?: string | null;
  /** Only the workspace of the path: stored queries cannot be moved. */
  readonly workspace?: string | null;
  readonly title?: string | null;
  readonly abstract?: string | null;
  readonly isPrivate?: boolean | null;
  readonly parameters?: readonly StoredQueryParameter[] | null;
  readonly queries?: readonly string[] | null;
}

/** A stored query in documents. */
export interface StoredQueryView {
  readonly query: StoredQuery;
  /** Null for a global one. */
  readonly workspace: Workspace | null;
}

/** Its name, and that of its workspace. */
export interface StoredQueryLocator {
  readonly workspace?: string;
  readonly name: string;
}

/** The ids of GetFeatureById, which always exists: that of the standard, and that of its drafts. */
export const GET_FEATURE_BY_ID = 'urn:ogc:def:query:OGC-WFS::GetFeatureById';
const oldGetFeatureById = 'urn:ogc:def:storedQuery:OGC-WFS::GetFeatureById';

export function isGetFeatureById(id: string): boolean {
  const lower = id.toLowerCase();
  return [GET_FEATURE_BY_ID, oldGetFeatureById].some((each) => each.toLowerCase() === lower);
}

/** Lists of stored queries are written as a whole, and each is checked for its types. */
const MAX_STORED_QUERIES = 200;
const MAX_QUERIES = 20;
const MAX_PARAMETERS = 50;
/** Characters in titles and abstracts, which lists contain. */
const MAX_TEXT = 10_000;
const MAX_PARAMETER_NAME = 100;

const nameRule = { what: 'stored query', field: 'storedQuery.name' };

/** Parameters of requests, which would have two meanings in key-value pairs. */
const reservedNames: ReadonlySet<string> = new Set([
  ...['service', 'version', 'request', 'storedquery_id', 'namespaces', 'namespace', 'outputformat', 'format_options'],
  ...['count', 'maxfeatures', 'startindex', 'resulttype', 'exceptions', 'valuereference', 'expiry', 'lockaction'],
  ...['lockid', 'viewparams', 'srsname', 'dryrun', 'authkey', 'access_token'],
]);

export async function listStoredQueries(
  catalog: CatalogReader,
  workspaceName: string | undefined,
  page?: Page,
): Promise<readonly StoredQueryView[]> {
  const workspace = await findHome(catalog, workspaceName);
  const queries = await catalog.list(storedQueryKind, workspace?.id ?? null, page);
  return queries.map((query) => ({ query, workspace }));
}

export async function findStoredQuery(catalog: CatalogReader, place: StoredQueryLocator): Promise<StoredQueryView> {
  const workspace = await findHome(catalog, place.workspace);
  const query = await catalog.find(storedQueryKind, workspace?.id ?? null, place.name);
  if (query === undefined) throw problem('stored-query-unknown', { name: formatPrintableName(place.name) });
  return { query, workspace };
}

export async function storedQueryExists(catalog: CatalogReader, place: StoredQueryLocator): Promise<boolean> {
  if (place.workspace !== undefined && !(await workspaceExists(catalog, place.workspace))) return false;
  const workspace = await findHome(catalog, place.workspace);
  return (await catalog.find(storedQueryKind, workspace?.id ?? null, place.name)) !== undefined;
}

async function findHome(catalog: CatalogReader, name: string | undefined): Promise<Workspace | null> {
  return name === undefined ? null : findWorkspace(catalog, name);
}

/** Creates all stored queries or none. */
export async function createStoredQueries(
  catalog: Catalog,
  principal: Principal,
  workspaceName: string | undefined,
  drafts: readonly StoredQueryDraft[],
): Promise<void> {
  const created = await Promise.all(drafts.map((draft) => mergeFields(undefined, draft)));
  const names = created.map(({ name }) => name);
  const what = names.length === 1 ? `create stored query ${names[0]}` : `create ${names.length} stored queries`;
  await catalog.change(principal, what, async (transaction) => {
    const workspace = await findHome(transaction, workspaceName);
    for (const { workspace: sent } of drafts) checkHome(workspace, sent);
    for (const fields of created) {
      await checkAvailable(transaction, workspace, fields.name);
      await transaction.insert(storedQueryKind, { parent: workspace?.id ?? null, ...fields });
    }
    const { length } = await transaction.list(storedQueryKind, workspace?.id ?? null, {
      limit: MAX_STORED_QUERIES + 1,
    });
    if (length > MAX_STORED_QUERIES) throw problem('stored-queries-too-many', { limit: MAX_STORED_QUERIES });
  });
}

export async function changeStoredQuery(
  catalog: Catalog,
  principal: Principal,
  place: StoredQueryLocator,
  { draft, precondition }: { readonly draft: StoredQueryDraft; readonly precondition: Precondition },
): Promise<void> {
  await mergeFields((await findStoredQuery(catalog, place)).query, draft);
  await catalog.change(principal, `change stored query ${place.name}`, async (transaction) => {
    const { query, workspace } = await findStoredQuery(transaction, place);
    checkPrecondition(precondition, query.version);
    checkHome(workspace, draft.workspace);
    const changed = { ...query, ...(await mergeFields(query, draft)) };
    if (changed.name !== query.name) await checkAvailable(transaction, workspace, changed.name);
    await transaction.update(storedQueryKind, changed);
  });
}

export async function deleteStoredQuery(
  catalog: Catalog,
  principal: Principal,
  place: StoredQueryLocator,
  precondition: Precondition,
): Promise<void> {
  await catalog.change(principal, `delete stored query ${place.name}`, async (transaction) => {
    const { query } = await findStoredQuery(transaction, place);
    checkPrecondition(precondition, query.version);
    await transaction.removeDeep(query.id);
  });
}

function checkHome(workspace: Workspace | null, sent: string | null | undefined): void {
  if (sent != null && sent !== workspace?.name) {
    throw problem('workspace-mismatch', { what: 'workspace', path: workspace?.name ?? '', document: sent });
  }
}

async function checkAvailable(
  transaction: CatalogTransaction,
  workspace: Workspace | null,
  name: string,
): Promise<void> {
  const isTaken = (await transaction.find(storedQueryKind, workspace?.id ?? null, name)) !== undefined;
  if (isTaken || isGetFeatureById(name)) throw problem('stored-query-exists', { name, field: nameRule.field });
}

type StoredQueryFields = Omit<DraftOf<StoredQuery>, 'parent'>;

async function mergeFields(current: StoredQuery | undefined, draft: StoredQueryDraft): Promise<StoredQueryFields> {
  const name = current === undefined ? (draft.name ?? '') : resolveNewName(current.name, draft.name, nameRule);
  if (current === undefined) checkName(name, nameRule);
  const pick = <T>(sent: T | null | undefined, old: T | undefined, initial: T): T =>
    sent === undefined ? (old ?? initial) : (sent ?? initial);
  const fields = {
    name,
    title: pick(draft.title, current?.title, ''),
    abstract: pick(draft.abstract, current?.abstract, ''),
    isPrivate: pick(draft.isPrivate, current?.isPrivate, false),
    parameters: pick(draft.parameters, current?.parameters, []).map((each) => toValidParameter(name, each)),
    queries: pick(draft.queries, current?.queries, []).map((each) => each.trim()),
  };
  await checkFields(fields);
  return fields;
}

async function checkFields({ name, title, abstract, parameters, queries }: StoredQueryFields): Promise<void> {
  const texts = [title, abstract, ...parameters.flatMap((each) => [each.title, each.abstract])];
  if (texts.some((each) => each.length > MAX_TEXT))
    throw createInvalid(name, `a text has more than ${MAX_TEXT} characters`, 'title');
  if (parameters.length > MAX_PARAMETERS) {
    throw createInvalid(name, `it has more than ${MAX_PARAMETERS} parameters`, 'parameters');
  }
  const keys = parameters.map((each) => each.name.toLowerCase());
  const double = keys.find((key, index) => keys.indexOf(key) !== index);
  if (double !== undefined) throw createInvalid(name, `two parameters are named '${double}'`, 'parameters');
  if (queries.length === 0 || queries.length > MAX_QUERIES) {
    throw createInvalid(name, `expected 1 to ${MAX_QUERIES} queries, found ${queries.length}`, 'queries');
  }
  for (const query of queries) {
    const fault = await findQueryFault(query, parameters);
    if (fault !== undefined) throw createInvalid(name, fault, 'queries');
  }
}

function toValidParameter(storedQuery: string, parameter: StoredQueryParameter): StoredQueryParameter {
  const { name, type } = parameter;
  if (!/^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(name) || name.length > MAX_PARAMETER_NAME) {
    const reason = `the parameter name '${excerpt(name)}' is invalid. Use at most ${MAX_PARAMETER_NAME} letters, digits, dots, hyphens and underscores`;
    throw createInvalid(storedQuery, reason, 'parameters');
  }
  if (reservedNames.has(name.toLowerCase())) {
    throw createInvalid(storedQuery, `the parameter name '${name}' is a parameter of all requests`, 'parameters');
  }
  const canonical = readTypeName(type);
  if (canonical === undefined) {
    const reason = `the type '${excerpt(type)}' of the parameter '${name}' is unknown. Use a simple type of XML Schema or a geometry type of GML, such as ${offeredTypes}`;
    throw createInvalid(storedQuery, reason, 'parameters');
  }
  return { ...parameter, type: canonical };
}

function createInvalid(name: string, reason: string, field: string): Problem {
  return problem('stored-query-invalid', { name: formatPrintableName(name), reason, field: `storedQuery.${field}` });
}
