/** The page of the doctor: the result of each check, and the problems. */
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { WriteContext } from '../../http/serialization/output-tree.ts';
import { writeAnchor, writeRecordTable } from '../../http/serialization/write-html.ts';
import type { Diagnosis } from '../../operations/doctor/diagnosis.ts';
import { findRestPath } from '../changes/record-path.ts';

export interface DiagnosisView extends Diagnosis {
  readonly healthy: boolean;
  /** Whether the data of the stores was checked too. */
  readonly connect: boolean;
}

export function buildDoctorPage({ healthy, connect, checks, findings }: DiagnosisView, context: WriteContext): Html {
  const page = `${context.buildUrl(['doctor'])}.html`;
  const rows = checks.map(({ check, ok, message }) =>
    [check, ok ? '✓ passed' : '✗ failed', message].map((each) => html`${text(each)}`),
  );
  const other = connect
    ? writeAnchor(page, 'Check without the data of stores')
    : writeAnchor(`${page}?connect=true`, 'Check the data of stores too');
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
