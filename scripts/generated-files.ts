/** The generated files, for the generator and for the test that they are up to date. */
import { collectEntries } from './crs-registry/entries.ts';
import { registryText } from './crs-registry/make-registry.ts';
import { openProjDatabase } from './crs-registry/proj-database.ts';
import { referenceSystemsPage } from './crs-registry/reference-systems.ts';
import { errorCatalogue } from './error-catalogue.ts';
import { limitsPage } from './limits-page.ts';
import { metricsPage } from './metrics-page.ts';
import { monitoringDashboard } from './monitoring-dashboard.ts';
import { serviceParametersPage } from './service-parameters.ts';
import { stylingReferencePage } from './styling-reference.ts';
import { stylingSupportPage } from './styling-support.ts';

export interface GeneratedFile {
  /** Relative to the project root. */
  readonly path: string;
  readonly content: string;
}

export function generatedFiles(): readonly GeneratedFile[] {
  const database = openProjDatabase();
  const entries = collectEntries(database);
  return [
    { path: 'docs/errors.md', content: errorCatalogue() },
    { path: 'deploy/monitoring/dashboard.json', content: monitoringDashboard() },
    { path: 'docs/metrics.md', content: metricsPage() },
    { path: 'docs/limits.md', content: limitsPage() },
    { path: 'docs/service-parameters.md', content: serviceParametersPage() },
    { path: 'docs/styling-reference.md', content: stylingReferencePage() },
    { path: 'docs/styling-support.md', content: stylingSupportPage() },
    { path: 'docs/reference-systems.md', content: referenceSystemsPage(entries, database) },
    { path: 'src/crs/registry/registry.json', content: registryText(entries) },
  ];
}
