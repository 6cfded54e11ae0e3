/** Manages URL checks. */

import type { Principal } from '../../lib/identity/principal.ts';
import { compileLinearRegex, createLazyLinearRegex, type LinearRegex } from '../../lib/linear-regex/linear-regex.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import { isWhole, type Page } from '../../lib/text/page.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { checkName } from '../../records/names.ts';
import { changeWithRevision } from '../core/security-state.ts';
import { type UrlCheck, urlCheckKind, urlCheckSet } from './url-check.ts';

/** The URL check fields that a client can set: an absent field stays unchanged, null clears it. */
export interface UrlCheckDraft {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly enabled?: boolean | null;
  readonly regex?: string | null;
}

/** A description is a note for administrators. */
const MAX_DESCRIPTION_LENGTH = 10_000;

/** Sorted by name, or by age where clients expect the order of creation. */
export async function listUrlChecks(
  catalog: CatalogReader,
  options: { readonly orderedBy: 'name' | 'age' },
  page: Page = {},
): Promise<readonly UrlCheck[]> {
  const byName = await catalog.list(urlCheckKind, null, page);
  const isByAge = options.orderedBy === 'age' && isWhole(page);
  return isByAge ? byName.toSorted((one, other) => one.createdAtMs - other.createdAtMs) : byName;
}

export async function findUrlCheck(catalog: CatalogReader, name: string): Promise<UrlCheck> {
  const check = await catalog.find(urlCheckKind, null, name);
  if (check === undefined) {
    throw problem('url-check-unknown', { name });
  }
  return check;
}

export async function urlCheckExists(catalog: CatalogReader, name: string): Promise<boolean> {
  return (await catalog.find(urlCheckKind, null, name)) !== undefined;
}

/** A new check is disabled by default, so that it opens no URL by accident. */
export function createUrlCheck(catalog: Catalog, principal: Principal, draft: UrlCheckDraft): Promise<UrlCheck> {
  const name = draft.name ?? '';
  validateUrlCheckName(name);
  const check = {
    parent: null,
    name,
    description: draft.description ?? null,
    enabled: draft.enabled ?? false,
    regex: draft.regex ?? '',
  };
  validateUrlCheckContent(check);
  return changeWithRevision(
    urlCheckSet,
    catalog,
    { principal, what: `create URL check ${name}` },
    async (transaction) => {
      await checkNameAvailable(transaction, name);
      return transaction.insert(urlCheckKind, check);
    },
  );
}

export interface UrlCheckChange {
  readonly draft: UrlCheckDraft;
  readonly precondition: Precondition;
  /** Whether a change without `enabled` keeps its value, or disables the check. */
  readonly absentEnabled: 'keeps' | 'disables';
}

export function changeUrlCheck(
  catalog: Catalog,
  principal: Principal,
  name: string,
  options: UrlCheckChange,
): Promise<void> {
  const { draft } = options;
  return changeWithRevision(
    urlCheckSet,
    catalog,
    { principal, what: `change URL check ${name}` },
    async (transaction) => {
      const current = await findUrlCheck(transaction, name);
      checkPrecondition(options.precondition, current.version);
      const untouched = options.absentEnabled === 'keeps' ? current.enabled : false;
      const changed: UrlCheck = {
        ...current,
        name: resolveNewName(current, draft),
        description: draft.description === undefined ? current.description : draft.description,
        enabled: draft.enabled === undefined ? untouched : (draft.enabled ?? false),
        regex: draft.regex === undefined ? current.regex : (draft.regex ?? ''),
      };
      validateUrlCheckContent(changed);
      if (changed.name !== current.name) {
        await checkNameAvailable(transaction, changed.name);
      }
      await transaction.update(urlCheckKind, changed);
    },
  );
}

export function deleteUrlCheck(
  catalog: Catalog,
  principal: Principal,
  name: string,
  options: { readonly precondition: Precondition },
): Promise<void> {
  return changeWithRevision(
    urlCheckSet,
    catalog,
    { principal, what: `delete URL check ${name}` },
    async (transaction) => {
      const check = await findUrlCheck(transaction, name);
      checkPrecondition(options.precondition, check.version);
      await transaction.removeDeep(check.id);
    },
  );
}

const regexContext = { what: 'The regex of the URL check', field: 'regexUrlCheck.regex' };

/** Compiles the regex of a stored check, which was valid when it was saved. */
export function loadUrlCheckRegex(regex: string): LinearRegex {
  return createLazyLinearRegex(regex, regexContext);
}

function resolveNewName(current: UrlCheck, draft: UrlCheckDraft): string {
  if (draft.name === undefined || draft.name === current.name) {
    return current.name;
  }
  const name = draft.name ?? '';
  validateUrlCheckName(name);
  return name;
}

function validateUrlCheckName(name: string): void {
  const rule = { what: 'URL check', field: 'regexUrlCheck.name' };
  checkName(name, rule);
  // `/urlchecks/test.json` is the check `test` in JSON, and `POST /urlchecks/test.json` the test with a JSON response.
  if (/^test\.(?:xml|json|html)$/i.test(name)) {
    throw problem('name-illegal', { ...rule, name, reason: 'it is reserved' });
  }
}

function validateUrlCheckContent(check: Pick<UrlCheck, 'description' | 'regex'>): void {
  if (check.regex.trim() === '') {
    throw createInvalidUrlCheckProblem('regexUrlCheck.regex', 'is required and must not be empty');
  }
  compileLinearRegex(check.regex, regexContext);
  const { description } = check;
  if (description !== null && (description.length > MAX_DESCRIPTION_LENGTH || !description.isWellFormed())) {
    throw createInvalidUrlCheckProblem(
      'regexUrlCheck.description',
      `text of at most ${MAX_DESCRIPTION_LENGTH} characters was expected`,
    );
  }
}

function createInvalidUrlCheckProblem(field: string, message: string) {
  return problem('document-invalid', { complaints: [{ field, message }], field });
}

async function checkNameAvailable(catalog: CatalogReader, name: string): Promise<void> {
  if (await urlCheckExists(catalog, name)) {
    throw problem('url-check-exists', { name });
  }
}
