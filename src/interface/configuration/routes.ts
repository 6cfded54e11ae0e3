/** Routes for the whole configuration as one document: export, diff and apply. */

import { createTextsParameter, type QueryParameter } from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import type { PrintedList } from '../../http/serialization/list-frame.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import { formatChoices } from '../../lib/text/wording.ts';
import type { Dialect } from '../common/dialects.ts';
import { readPassphrase } from '../common/passphrase.ts';
import { batch, family, get, postQuery, type Services } from '../common/services.ts';
import { DataFailures, type Unverifiable } from './apply/data-failures.ts';
import {
  createInvalidProblem,
  createPlan,
  formatPlan,
  formatPlanHead,
  formatStep,
  type Mode,
  type Plan,
} from './apply/plan.ts';
import { joinCooperatively } from './document/cooperative-lists.ts';
import type { ConfigurationDocument } from './document/document.ts';
import { ExportCache } from './document/export-cache.ts';
import type { ExportedConfiguration } from './document/export-resources.ts';
import { configurationShape, FORMAT, planShape } from './document/representation.ts';
import { createScope, type Scope } from './document/scope.ts';
import { configurationFileRows } from './file-routes.ts';
import type { ConfigurationKind } from './model/kind.ts';
import { translateRow } from './translate-route.ts';

const path = createTextsParameter('Limit to this path and everything below it; repeatable.');

const mode: QueryParameter<Mode> = {
  description: 'merge (default): deletes nothing; mirror: makes the configuration equal to the document.',
  schema: { type: 'string', enum: ['merge', 'mirror'] },
  expected: 'merge or mirror',
  parse: (value) => (value === 'merge' || value === 'mirror' ? value : undefined),
  absent: 'merge',
};

const unverified: QueryParameter<Unverifiable> = {
  description:
    'reject (default): resources whose data is unavailable are errors; accept: they are stored as the document describes them, and listed in the plan.',
  schema: { type: 'string', enum: ['accept', 'reject'] },
  expected: 'accept or reject',
  parse: (value) => (value === 'accept' || value === 'reject' ? value : undefined),
  absent: 'reject',
};

const wrongDocument: readonly ProblemCode[] = [
  'json-malformed',
  'document-missing',
  'document-invalid',
  'document-too-deep',
  'body-type-unknown',
  'archive-refused',
  'archive-too-large',
  'query-invalid',
  'outside-scope',
  'configuration-invalid',
];

/** Failures that the document does not cause end an apply. */
const unavailableProblems: readonly ProblemCode[] = ['work-refused', 'work-too-slow'];

const configurationBody = {
  kind: 'upload',
  what: 'An exported configuration, or a ZIP archive with its files.',
  otherwise: 'json',
} as const;

export function configurationRoutes(dialect: Dialect): RouteTable<Services> {
  const source = { dialect, before: new ExportCache() };
  return family(
    'Configuration',
    {
      description: 'The whole configuration as one document: export, diff, apply.',
      formats: ['json'],
      formatGroup: 'about',
    },
    [createExportRow(source), createDiffRow(source), createApplyRow(source), ...configurationFileRows, translateRow],
  );
}

/** The current configuration, to which all routes refer. */
interface ConfigurationSource {
  readonly dialect: Dialect;
  readonly before: ExportCache;
}

function createExportRow(source: ConfigurationSource) {
  return get(
    '/configuration',
    'Read the whole configuration',
    {
      returns: configurationShape,
      versioned: true,
      renditions: [{ name: 'zip', mediaTypes: ['application/zip'] }],
      rejectsUnknownQuery: true,
      query: { path, kind: createTextsParameter('Limit to resources of this kind; repeatable.') },
    },
    async ({ services, query, rendition, sent }) => {
      const kinds = await loadKinds(source.dialect);
      const scope = createScope(query.path, validateKinds(kinds, query.kind));
      const exported = await source.before.getConfiguration(kinds, services, scope);
      const formatExport = (each: ExportedConfiguration) =>
        formatConfiguration(each, services.catalog.position(), scope);
      if (rendition === undefined) {
        return { list: formatExport(exported), tag: `"${exported.hash}"` };
      }
      const { createArchive } = await import('./document/archive.ts');
      const passphrase = readPassphrase(sent.headers);
      const { openFile, variant, warnings } = await createArchive(
        services,
        exported,
        (each) => streamList(formatExport(each)),
        passphrase === undefined ? undefined : { kinds, passphrase },
      );
      return { openFile, warnings, headers: { etag: `"${exported.hash}${variant && `+${variant}`}"` } };
    },
  );
}

function createDiffRow(source: ConfigurationSource) {
  return postQuery(
    '/configuration/diff',
    'Compare a configuration with the current one',
    {
      accepts: configurationBody,
      returns: planShape,
      rejectsUnknownQuery: true,
      query: { mode, path, unverified },
      problems: wrongDocument,
    },
    async ({ services, query, body, sent: request }) => {
      const kinds = await loadKinds(source.dialect);
      const { receiveConfiguration } = await import('./document/receive-configuration.ts');
      const sent = await receiveConfiguration(services, body, kinds, readPassphrase(request.headers));
      try {
        const { plan } = await loadPlan(source.before, { kinds, services }, sent.document, query);
        if (sent.document.unfitFields.length > 0) {
          throw createInvalidProblem(sent.document.unfitFields);
        }
        const listed = await formatUnverifiedList(services, sent.document);
        const head = formatPlanHead(plan, { position: services.catalog.position(), change: null, unverified: listed });
        return {
          list: {
            frame: { before: head, between: ',', after: ']}', empty: `${head}]}` },
            pieces: formatBatches(plan.steps, formatStep),
          },
        };
      } finally {
        await sent.discard();
      }
    },
  );
}

function createApplyRow(source: ConfigurationSource) {
  return batch(
    '/configuration/apply',
    'Apply a configuration as one atomic change',
    {
      accepts: configurationBody,
      returns: planShape,
      rejectsUnknownQuery: true,
      query: { mode, path, unverified },
      problems: [...wrongDocument, 'configuration-moved', ...unavailableProblems],
    },
    async (call) => {
      const { services, principal, query, body, batchContext, sent: request } = call;
      const kinds = await loadKinds(source.dialect);
      const { receiveConfiguration } = await import('./document/receive-configuration.ts');
      const { applyPlan } = await import('./apply/apply-plan.ts');
      const sent = await receiveConfiguration(services, body, kinds, readPassphrase(request.headers));
      try {
        const { document, files, texts } = sent;
        const { plan, scope } = await loadPlan(source.before, { kinds, services }, document, query);
        checkIfMatch(request.headers['if-match'], plan.hash);
        const count = plan.steps.length;
        batchContext.setChangeName(
          document.message ?? `apply a configuration with ${count} ${count === 1 ? 'step' : 'steps'}`,
        );
        const wanted = { kinds, document, texts, mode: query.mode, scope };
        const dataFailures = new DataFailures(query.unverified);
        const applying = { services, principal, files, batchContext, dataFailures, signal: call.signal() };
        await applyPlan(applying, wanted, plan);
        const listed = await formatUnverifiedList(services, document);
        const position = services.catalog.position();
        // Formatted before the commit; afterwards it would be formatted without yielding.
        const steps = await joinCooperatively(plan.steps, formatStep);
        return {
          body: (change) => formatPlan(plan, steps, { position, change: change?.sequence ?? null, unverified: listed }),
        };
      } finally {
        await sent.discard();
      }
    },
  );
}

/** The list of unverified resources as JSON, for a plan. */
async function formatUnverifiedList(services: Services, document: ConfigurationDocument): Promise<string> {
  const { formatUnverified, listUnverified } = await import('./apply/list-unverified.ts');
  return `[${await joinCooperatively(await listUnverified(services, document), formatUnverified)}]`;
}

/** The plan for a document over the state that the services show. */
async function loadPlan(
  before: ExportCache,
  { kinds, services }: { readonly kinds: readonly ConfigurationKind[]; readonly services: Services },
  document: ConfigurationDocument,
  query: { readonly mode: Mode; readonly path: readonly string[] },
): Promise<{ readonly plan: Plan; readonly scope: Scope }> {
  // A filtered export implies the same filter when it is sent back.
  const paths = query.path.length === 0 ? document.scope : query.path;
  const scope = createScope(paths, validateKinds(kinds, document.kinds));
  const exported = await before.getConfiguration(kinds, services, scope);
  return { plan: await createPlan(kinds, exported, document, { mode: query.mode, secrets: services, scope }), scope };
}

/** ETags of other resources match no configuration. The part after a plus identifies the edits in an archive. */
function checkIfMatch(ifMatch: string | undefined, hash: string): void {
  if (
    ifMatch !== undefined &&
    ifMatch.trim() !== '*' &&
    !ifMatch.split(',').some((tag) => tag.trim().replace(/\+[0-9a-f]*"$/, '"') === `"${hash}"`)
  ) {
    throw problem('configuration-moved', { hash, members: { hash } });
  }
}

/** Loaded lazily: the kinds import all route families and are not needed at start. */
async function loadKinds(dialect: Dialect): Promise<readonly ConfigurationKind[]> {
  const { listConfigurationKinds: configurationKinds } = await import('./kinds/kinds.ts');
  return configurationKinds(dialect);
}

function validateKinds(kinds: readonly ConfigurationKind[], requested: readonly string[]): readonly string[] {
  const unknown = requested.find((each) => !kinds.some(({ kind }) => kind === each));
  if (unknown !== undefined) {
    const expected = formatChoices(kinds.map(({ kind }) => kind));
    throw problem('query-invalid', { parameter: 'kind', value: unknown, expected, field: 'kind' });
  }
  return requested;
}

function formatConfiguration({ resources, hash }: ExportedConfiguration, position: number, scope: Scope): PrintedList {
  const head = JSON.stringify({ format: FORMAT, position, hash, ...toScopeMembers(scope) }).slice(0, -1);
  const before = `${head},"resources":[`;
  return {
    frame: { before, between: ',', after: ']}', empty: `${before}]}` },
    pieces: formatBatches(resources, ({ printed: text }) => text.toString()),
  };
}

/** The filters of the export, for a later comparison. */
function toScopeMembers({ paths, kinds }: Scope): object {
  if (kinds.length > 0) {
    return { scope: paths.length === 0 ? ['/'] : paths, kinds };
  }
  return paths.length === 0 ? {} : { scope: paths };
}

/** Items are passed on in groups: awaiting each would take longer than formatting it. */
const ITEMS_AT_ONCE = 100;

async function* formatBatches<T>(items: readonly T[], print: (item: T) => string): AsyncGenerator<string> {
  for (let start = 0; start < items.length; start += ITEMS_AT_ONCE) {
    yield items
      .slice(start, start + ITEMS_AT_ONCE)
      .map(print)
      .join(',');
  }
}

/** A list as streamed text. */
async function* streamList({ frame, pieces }: PrintedList): AsyncGenerator<string> {
  let isFirst = true;
  for await (const piece of pieces) {
    yield `${isFirst ? frame.before : frame.between}${piece}`;
    isFirst = false;
  }
  yield isFirst ? frame.empty : frame.after;
}
