/** Routes for batches: several operations that are applied atomically as one change. */
import type { DescribedDocument, JsonSchema } from '../../http/documents/schema.ts';
import { splitUrl } from '../../http/request/request-head.ts';
import { toProblemDetails } from '../../http/response/problems.ts';
import type { BatchContext, RouteTable } from '../../http/routes/route.ts';
import { finalizeReply } from '../../http/session/final-reply.ts';
import type { RecordedReply } from '../../http/session/recorded-reply.ts';
import type { CommittedChange } from '../../http/session/session.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { Dialect } from '../common/dialects.ts';
import { batch, family, type Services } from '../common/services.ts';
import { acceptedHeaders, type Batch, type BatchOperation, readBatch } from './read-batch.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** All responses are held in memory until the commit. */
const MAX_RESULT_BYTES = 67_108_864;

const text: JsonSchema = { type: 'string' };
const anything: JsonSchema = { description: 'Any JSON value.' };

const batchShape: DescribedDocument = {
  root: 'batch',
  schemaName: 'Batch',
  schema: {
    type: 'object',
    properties: {
      message: { type: 'string', description: 'Message of the change.', examples: ['publish the harbour'] },
      ifPosition: {
        type: 'integer',
        minimum: 0,
        description: 'Run the batch only if this is still the number of the last change.',
      },
      operations: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: text,
            method: { type: 'string', enum: methods },
            path: { type: 'string', description: 'Path below the REST root.', examples: ['/workspaces'] },
            body: anything,
            content: { type: 'string', description: 'A body that is not JSON; requires contentType.' },
            contentType: text,
            headers: { type: 'object', properties: Object.fromEntries(acceptedHeaders.map((name) => [name, text])) },
          },
          required: ['method', 'path'],
        },
      },
    },
    required: ['operations'],
  },
};

const resultShape: DescribedDocument = {
  root: 'results',
  schemaName: 'BatchResult',
  schema: {
    type: 'object',
    properties: {
      change: { description: 'Number of the change; null if nothing changed.' },
      results: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: text,
            status: { type: 'integer' },
            headers: { type: 'object', properties: { Location: text, ETag: text } },
            body: anything,
            content: text,
            contentType: text,
          },
        },
      },
    },
  },
};

export function batchRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Batch',
    { description: 'Several operations as one atomic change.', formats: ['json'], formatGroup: 'about' },
    [
      batch(
        '/batch',
        'Run several operations in order as one atomic change',
        {
          accepts: { kind: 'json', shape: batchShape },
          returns: resultShape,
          // Each operation also requires its own rights; users without any rights are rejected before the body is
          // read.
          role: WORKSPACE_ADMINISTRATOR,
          rejectsUnknownQuery: true,
          problems: [
            'document-invalid',
            'batch-operation-refused',
            'batch-too-large',
            'position-moved',
            'batch-failed',
          ],
        },
        async ({ services, body, batchContext }) => {
          const batch = readBatch(body);
          checkOperations(batch, batchContext);
          checkPosition(batch, services);
          const count = batch.operations.length;
          batchContext.setChangeName(batch.message ?? `batch of ${count} ${count === 1 ? 'operation' : 'operations'}`);
          const replies: RecordedReply[] = [];
          let bytes = 0;
          for (const [index, operation] of batch.operations.entries()) {
            const reply = await executeOperation(batchContext, operation, index, dialect);
            bytes += reply.body.length;
            if (bytes > MAX_RESULT_BYTES) throw problem('batch-too-large', { limit: '64 MB of replies' });
            replies.push(reply);
          }
          return { body: (change) => formatResults(batch, replies, change) };
        },
      ),
    ],
  );
}

/**
 * Resources with immediate side effects, resources that list all changes, and resources that combine operations
 * themselves.
 */
const refusedPaths = [
  '/batch',
  '/configuration',
  '/history',
  '/events',
  '/doctor',
  '/backup',
  '/security/masterpw',
  '/security/keystore',
];

function checkOperations({ operations }: Batch, { findPattern: patternOf }: BatchContext): void {
  for (const [operation, { method, path }] of operations.entries()) {
    const reason = findRefusalReason(method, path, patternOf(path));
    if (reason !== undefined) {
      throw problem('batch-operation-refused', { operation, reason, members: { operation } });
    }
  }
}

function findRefusalReason(method: string, path: string, pattern: string | undefined): string | undefined {
  if (!methods.some((each) => each === method)) return `the method must be one of ${methods.join(', ')}.`;
  const [plain, rawQuery] = splitUrl(path);
  if ([...new URLSearchParams(rawQuery).keys()].some((name) => name.toLowerCase() === 'dryrun')) {
    return 'dryRun applies only to the whole batch.';
  }
  const refused = refusedPaths.find((each) =>
    [plain, pattern].some((place) => place === each || place?.startsWith(`${each}/`)),
  );
  if (refused !== undefined) return `${refused} is not allowed in a batch.`;
  return method !== 'GET' && pattern?.endsWith('/:method.:format') ? 'uploads are not allowed in a batch.' : undefined;
}

function checkPosition({ ifPosition: expected }: Batch, { catalog }: Services): void {
  if (expected === undefined) return;
  const position = catalog.position();
  if (position !== expected) throw problem('position-moved', { position, expected, members: { position } });
}

async function executeOperation(
  batchContext: BatchContext,
  { id, method, path, content, contentType, headers }: BatchOperation,
  index: number,
  dialect: Dialect,
): Promise<RecordedReply> {
  try {
    const body = content === undefined || contentType === undefined ? {} : { content, contentType };
    const performed = await batchContext.perform({ method, path, headers, ...body });
    return await performed.reply();
  } catch (error) {
    throw error instanceof Problem
      ? toBatchProblem(error, { index, id, status: dialect.statuses[error.code] ?? error.status })
      : error;
  }
}

function toBatchProblem(
  inner: Problem,
  { index, id, status }: { readonly index: number; readonly id: string | undefined; readonly status: number },
): Problem {
  const members = { operation: index, ...(id === undefined ? {} : { id }), problem: toProblemDetails(inner, status) };
  const { retryAfterSeconds } = inner.details;
  return problem('batch-failed', {
    operation: index,
    status,
    reason: inner.message,
    answeredAs: status,
    members,
    ...(typeof retryAfterSeconds === 'number' ? { retryAfterSeconds } : {}),
  });
}

function formatResults(
  { operations }: Batch,
  replies: readonly RecordedReply[],
  change: CommittedChange | null,
): string {
  const results = replies.map((reply, index) => formatResult(operations[index]?.id, reply, change));
  return `{"change":${change?.sequence ?? null},"results":[${results.join(',')}]}`;
}

function formatResult(id: string | undefined, recorded: RecordedReply, change: CommittedChange | null): string {
  const { status, headers: sent, body } = finalizeReply(recorded, change, 0);
  const findHeader = (name: string): string | undefined => sent[sent.indexOf(name) + 1 || sent.length];
  const [location, etag, contentType = ''] = [findHeader('location'), findHeader('etag'), findHeader('content-type')];
  const headers = {
    ...(location === undefined ? {} : { Location: location }),
    ...(etag === undefined ? {} : { ETag: etag }),
  };
  const head = JSON.stringify({ ...(id === undefined ? {} : { id }), status, headers }).slice(0, -1);
  const bodyText = body.toString();
  if (bodyText === '') return `${head}}`;
  const [mediaType = ''] = contentType.split(';');
  return mediaType.endsWith('json')
    ? `${head},"body":${bodyText}}`
    : `${head},"content":${JSON.stringify(bodyText)},"contentType":${JSON.stringify(contentType)}}`;
}
