/** Routes for the doctor, which checks the whole server for damage and changes nothing. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import { createFlagParameter } from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import type { Diagnosis } from '../../operations/doctor/diagnosis.ts';
import { findRestPath } from '../changes/record-path.ts';
import { family, get, type Services } from '../common/services.ts';
import { buildDoctorPage, type DiagnosisView } from './page.ts';

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
            check: { type: 'string', enum: ['storage', 'keystore', 'files', 'references', 'disk', 'stores', 'nodes'] },
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
          query: { connect: createFlagParameter('Also check the data of every enabled store.') },
        },
        async ({ services, query, signal, format }) => {
          const { catalog, files, operations } = services;
          const { runDoctor: examine } = await import('../../operations/doctor/run-doctor.ts');
          const { storage, nodes, disk } = operations;
          const input = { ...services, kept: files.stored, storage, nodes, disk };
          const found = await examine(input, { ...query, signal: signal() });
          if (format === 'html') return { resource: { ...found, healthy: isHealthy(found), connect: query.connect } };
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
