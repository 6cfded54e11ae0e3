/** Routes for the doctor, which checks the whole server for damage and changes nothing. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import { createFlagParameter, createTextsParameter } from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { WriteContext } from '../../http/serialization/output-tree.ts';
import { writeAnchor, writeRecordTable } from '../../http/serialization/write-html.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Diagnosis, Selection } from '../../operations/doctor/diagnosis.ts';
import { formatPrintableName } from '../../records/names.ts';
import { isSelected } from '../changes/item-selection.ts';
import { findRestPath, type RecordPath } from '../changes/record-path.ts';
import { family, get, type Services } from '../common/services.ts';

const diagnosisDocument: DocumentWriter<DiagnosisView> = {
  root: 'diagnosis',
  schemaName: 'Diagnosis',
  schema: {
    type: 'object',
    properties: {
      healthy: { type: 'boolean', description: 'Whether all checks passed without problems.' },
      position: { type: 'integer', description: 'Number of the last change.' },
      checks: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            check: {
              type: 'string',
              enum: [
                'storage',
                'keystore',
                'files',
                'references',
                'data-rules',
                'unverified',
                'disk',
                'fonts',
                'backup',
                'locks',
                'stores',
                'nodes',
              ],
            },
            ok: { type: 'boolean' },
            message: { type: 'string' },
          },
        },
      },
      problems: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            path: { description: 'Path of the resource, or null.' },
            code: { type: 'string', examples: ['files-missing'] },
            message: { type: 'string' },
          },
        },
      },
    },
  },
  write: (view) => ({
    root: 'diagnosis',
    title: 'Doctor',
    node: { kind: 'object', members: [] },
    page: { writeContent: (context) => buildDoctorPage(view, context) },
  }),
};

export function doctorRoutes(): RouteTable<Services> {
  return family(
    'Doctor',
    { description: 'Integrity checks of the server.', formats: ['json', 'html'], formatGroup: 'additions' },
    [
      get(
        '/doctor',
        'Check the integrity of the database, files, secrets, references and disks, and optionally the data of stores',
        {
          returns: diagnosisDocument,
          rejectsUnknownQuery: true,
          problems: ['doctor-path-unknown'],
          query: {
            connect: createFlagParameter('Also check the data of every enabled store.'),
            path: createTextsParameter(
              'Check only the resource at this path and everything below it, and not the server itself; repeatable.',
            ),
          },
        },
        async ({ services, query, signal, format }) => {
          const { catalog, files, operations } = services;
          const { runDoctor: examine } = await import('../../operations/doctor/run-doctor.ts');
          const { storage, nodes, disk } = operations;
          const input = { ...services, kept: files.stored, storage, nodes, disk };
          const { connect, path: paths } = query;
          const selection = paths.length === 0 ? undefined : selectPaths(paths);
          const found = await examine(input, { connect, selects: selection?.selects, signal: signal() });
          const [unknown] = selection?.unmatched ?? [];
          if (unknown !== undefined) {
            throw problem('doctor-path-unknown', { path: formatPrintableName(unknown), field: 'path' });
          }
          if (format === 'html') return { resource: { ...found, healthy: isHealthy(found), connect, paths } };
          const before = formatDiagnosisHead(found, catalog.position());
          return {
            list: {
              frame: { before, between: ',', after: ']}', empty: `${before}]}` },
              pieces: formatProblems(found),
            },
          };
        },
      ),
    ],
  );
}

/** The doctor reads every record, so the paths that matched none of them are those of no resource. */
function selectPaths(paths: readonly string[]): { readonly selects: Selection; readonly unmatched: Set<string> } {
  const unmatched = new Set(paths);
  const selects = (place: RecordPath) => {
    const path = findRestPath(place);
    const matching = paths.filter((each) => isSelected({ kinds: [], paths: [each] }, '', path));
    for (const each of matching) unmatched.delete(each);
    return matching.length > 0;
  };
  return { selects, unmatched };
}

function isHealthy({ checks, findings }: Diagnosis): boolean {
  return findings.length === 0 && checks.every(({ ok }) => ok);
}

/** The document up to its problems. */
function formatDiagnosisHead(found: Diagnosis, position: number): string {
  return `${JSON.stringify({ healthy: isHealthy(found), position, checks: found.checks }).slice(0, -1)},"problems":[`;
}

async function* formatProblems({ findings }: Diagnosis): AsyncGenerator<string> {
  for (const { place, code, message } of findings) {
    yield JSON.stringify({ path: place && findRestPath(place), code, message });
  }
}

interface DiagnosisView extends Diagnosis {
  readonly healthy: boolean;
  /** Whether the data of the stores was checked too. */
  readonly connect: boolean;
  readonly paths: readonly string[];
}

/** The page of the doctor: the result of each check, and the problems. */
function buildDoctorPage({ healthy, connect, paths, checks, findings }: DiagnosisView, context: WriteContext): Html {
  const query = new URLSearchParams([
    ...(connect ? [] : [['connect', 'true']]),
    ...paths.map((path) => ['path', path]),
  ] as [string, string][]);
  const page = `${context.buildUrl(['doctor'])}.html${query.size === 0 ? '' : `?${query}`}`;
  const rows = checks.map(({ check, ok, message }) =>
    [check, ok ? '✓ passed' : '✗ failed', message].map((each) => html`${text(each)}`),
  );
  const other = connect
    ? writeAnchor(page, 'Check without the data of stores')
    : writeAnchor(page, 'Check the data of stores too');
  return html`<p><strong>${text(healthy ? 'No problems found.' : 'Problems found.')}</strong> ${other}</p>
${writeRecordTable(['Check', 'Result', 'Details'], rows)}
${findings.length === 0 ? html`` : buildProblems(findings)}`;
}

function buildProblems(findings: Diagnosis['findings']): Html {
  const rows = findings.map(({ place, code, message }) =>
    [(place && findRestPath(place)) ?? '–', code, message].map((each) => html`${text(each)}`),
  );
  return html`<h2>Problems</h2>
${writeRecordTable(['Resource', 'Code', 'Message'], rows)}`;
}
