/** The page of the tile jobs of a layer, with the form of GeoWebCache to start and stop them. */
import {
  contentSecurityPolicy,
  createHomeCrumb,
  type Html,
  html,
  page,
  text,
} from '../../../http/serialization/html-page.ts';
import type { SentRequest, ServiceReply } from '../../../http/session/service-reply.ts';
import type { CatalogReader } from '../../../records/catalog.ts';
import type { SeedStatus, TileSeeding } from '../../../tiles/seeding/seeding.ts';
import { getFinestLevel } from '../../../tiles/tile-matrix-set.ts';
import type { PublishedMap } from '../../access/published-map.ts';
import { getMapId } from '../../tiles/possible-formats.ts';
import { listLayerGridSets, listTileFormats, loadTileSettings } from '../../tiles/tile-offer.ts';
import type { Extension } from './documents.ts';

/** Whether a client without an extension in the path prefers a page, as browsers do. */
export function wantsPage({ headers }: Pick<SentRequest, 'headers'>, extension: Extension): boolean {
  return extension === undefined && /\b(html|json|xml)\b/i.exec(headers.accept ?? '')?.[1]?.toLowerCase() === 'html';
}

export interface SeedPageContext {
  readonly catalog: CatalogReader;
  readonly tileSeeding: Pick<TileSeeding, 'list'>;
  /** The base URL of the client with the context path. */
  readonly home: string;
}

/** The form of the page is sent to the page itself. */
const policy = contentSecurityPolicy.replace("form-action 'none'", "form-action 'self'");

/** The interval after which a browser reloads the page while jobs run. */
const REFRESH_SECONDS = 15;

/** `result` is the reply to a sent form, whose warnings the page shows; undefined for a page that is read. */
export async function createSeedPage(
  { catalog, tileSeeding, home }: SeedPageContext,
  map: PublishedMap,
  result?: ServiceReply,
): Promise<ServiceReply> {
  const jobs = await tileSeeding.list(getMapId(map));
  const { title, qualifiedName } = map;
  const path = `${home}gwc/rest/seed/${encodeURIComponent(qualifiedName)}`;
  const content = html`<p>${text(title)}</p>
${writeResult(result)}
<h2>Jobs</h2>
${jobs.length === 0 ? html`<p class="empty">No jobs are pending or running.</p>` : writeJobs(jobs, path)}
<p><a href="${text(path)}">Update</a></p>
<h2>New job</h2>
${await writeForm(catalog, map, path)}`;
  const body = page(
    {
      title: `Tiles of ${qualifiedName}`,
      crumbs: [createHomeCrumb(home), { label: 'Tile administration', url: `${home}gwc/rest` }, { label: 'Seed' }],
      alternates: ['json', 'xml'].map((format) => ({ label: format.toUpperCase(), url: `${path}.${format}` })),
      // A page that is the reply to a form is not reloaded: the browser would send the form again.
      ...(jobs.length === 0 || result !== undefined ? {} : { refreshSeconds: REFRESH_SECONDS }),
    },
    content,
  );
  const headers = { ...result?.headers, 'content-security-policy': policy };
  return { ...result, contentType: 'text/html; charset=utf-8', headers, body };
}

function writeResult(result: ServiceReply | undefined): Html {
  if (result === undefined) return html``;
  const warnings = (result.warnings ?? []).map((each) => html`<p>${text(each)}</p>`);
  return warnings.length === 0 ? html`<p>The request was accepted.</p>` : html`${warnings}`;
}

function writeJobs(jobs: readonly SeedStatus[], path: string): Html {
  const rows = jobs.map(
    ({ id, state, done, total, secondsLeft }) => html`
<tr><td>${text(id)}</td><td>${text(state)}</td><td>${text(done)}</td><td>${text(total)}</td><td>${text(secondsLeft < 0 ? 'unknown' : secondsLeft)}</td>
<td><form method="post" action="${text(path)}"><input type="hidden" name="kill_thread" value="1"><input type="hidden" name="thread_id" value="${text(id)}"><button>Stop</button></form></td></tr>`,
  );
  return html`<div class="wide"><table><thead><tr><th>Job</th><th>State</th><th>Tiles done</th><th>All tiles</th><th>Seconds left</th><th></th></tr></thead><tbody>${rows}</tbody></table></div>
<form method="post" action="${text(path)}">${writeSelect('kill_all', 'Stop jobs', ['all', 'running', 'pending'])}<button>Stop</button></form>`;
}

async function writeForm(catalog: CatalogReader, map: PublishedMap, path: string): Promise<Html> {
  const sets = await listLayerGridSets(catalog, map);
  const formats = await listTileFormats(catalog, map);
  const { parameterFilters = [] } = await loadTileSettings(catalog, getMapId(map));
  const finest = Math.max(0, ...sets.map(({ set }) => getFinestLevel(set)));
  const keys = [...new Set(['STYLES', ...parameterFilters.map(({ key }) => key.toUpperCase())])];
  return html`<form method="post" action="${text(path)}"><table>
${writeRow('threadCount', 'Tiles drawn at the same time', html`<input id="threadCount" name="threadCount" type="number" min="1" max="4" value="1">`)}
${writeRow('type', 'Type', writeOptions('type', ['seed', 'reseed', 'truncate']))}
${writeRow(
  'gridSetId',
  'Grid set',
  writeOptions(
    'gridSetId',
    sets.map(({ set }) => set.id),
  ),
)}
${writeRow(
  'tileFormat',
  'Format',
  writeOptions(
    'tileFormat',
    formats.map(({ mediaType }) => mediaType),
  ),
)}
${writeRow('zoomStart', 'First zoom level', html`<input id="zoomStart" name="zoomStart" type="number" min="0" max="${text(finest)}" value="0">`)}
${writeRow('zoomStop', 'Last zoom level', html`<input id="zoomStop" name="zoomStop" type="number" min="0" max="${text(finest)}" value="0">`)}
${keys.map((key) => writeRow(`parameter_${key}`, key, writeInput(`parameter_${key}`)))}
${['minX', 'minY', 'maxX', 'maxY'].map((name) => writeRow(name, name, writeInput(name)))}
</table><p>Coordinates are in the CRS of the grid set. Without them, the job covers the extent of the layer.</p><button>Submit</button></form>`;
}

function writeRow(id: string, label: string, field: Html): Html {
  return html`<tr><th><label for="${text(id)}">${text(label)}</label></th><td>${field}</td></tr>`;
}

function writeInput(name: string): Html {
  return html`<input id="${text(name)}" name="${text(name)}">`;
}

function writeSelect(name: string, label: string, values: readonly string[]): Html {
  return html`<label for="${text(name)}">${text(label)}</label> ${writeOptions(name, values)} `;
}

function writeOptions(name: string, values: readonly string[]): Html {
  const options = values.map((value) => html`<option>${text(value)}</option>`);
  return html`<select id="${text(name)}" name="${text(name)}">${options}</select>`;
}
