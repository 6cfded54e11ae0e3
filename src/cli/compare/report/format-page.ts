/** Formats a report as an HTML page without scripts, with the maps of both servers side by side. */
import { escapeHtml } from '../../../lib/xml/escape.ts';
import {
  type CheckStatus,
  type ComparedLayer,
  type ComparedPictures,
  type ComparisonReport,
  checkNames,
  type Detail,
  type MapArea,
} from '../model/report.ts';
import { formatSummary } from './format-table.ts';

const style = `
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 1240px; padding: 0 1rem; color: #1c1c1c; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.4rem; border-top: 1px solid #ccc; padding-top: 1rem; }
h2, td, th, li { overflow-wrap: anywhere; }
table { border-collapse: collapse; } th, td { border: 1px solid #ccc; padding: .25rem .6rem; text-align: left; }
.equal { background: #e4f3e4; } .different { background: #fbdcd8; font-weight: 600; } .both-failed { background: #fdf0cf; }
.skipped { color: #555; } code { background: #f1f1f1; padding: 0 .25rem; }
.maps { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .8rem; }
figure { margin: .4rem 0; } img, .none { width: 100%; box-sizing: border-box; border: 1px solid #999; display: block; }
img { background: #fff; height: auto; } .none { padding: 2rem; color: #555; background: #f6f6f6; }
`;

const words: Readonly<Record<CheckStatus, string>> = {
  equal: 'equal',
  different: 'different',
  'both-failed': 'failed on both',
  skipped: 'not checked',
};

export function formatPage(report: ComparisonReport): string {
  const { services, layers } = report;
  const inOrder = [...layers.entries()].sort(
    ([index, one], [otherIndex, other]) => rank(one.status) - rank(other.status) || index - otherIndex,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Comparison of two servers</title>
<style>${style}</style>
</head>
<body>
<h1>Comparison of two servers</h1>
<p>Old: <code>${escapeHtml(report.old)}</code><br>New: <code>${escapeHtml(report.new)}</code></p>
<p>${escapeHtml(formatSummary(report))}</p>
${services.some(({ details }) => details.length > 0) ? '<h2>Services</h2>\n' : ''}${services
  .filter(({ details }) => details.length > 0)
  .map(({ name, details }) => `<h3>${name}</h3>\n${formatDetails(details)}`)
  .join('\n')}
<h2>Layers</h2>
${formatOverview(inOrder)}
${inOrder.map(([index, layer]) => formatLayer(index, layer)).join('\n')}
</body>
</html>
`;
}

/** Layers with differences come first. */
function rank(status: CheckStatus): number {
  return ['different', 'both-failed', 'equal', 'skipped'].indexOf(status);
}

function formatOverview(layers: readonly (readonly [number, ComparedLayer])[]): string {
  const head = checkNames.map((check) => `<th>${check}</th>`).join('');
  const rows = layers.map(([index, { name, checks }]) => {
    const statuses = checkNames.map((check) => `<td class="${checks[check]}">${words[checks[check]]}</td>`).join('');
    return `<tr><td><a href="#layer-${index}">${escapeHtml(name)}</a></td>${statuses}</tr>`;
  });
  return `<table>\n<tr><th>layer</th>${head}</tr>\n${rows.join('\n')}\n</table>`;
}

function formatLayer(index: number, { name, details, pictures = [] }: ComparedLayer): string {
  const summary = details.length === 0 ? '<p>No differences.</p>' : formatDetails(details);
  const maps = pictures.map((each) => formatPictures(name, each)).join('\n');
  return `<section id="layer-${index}">\n<h2>${escapeHtml(name)}</h2>\n${summary}\n${maps}\n</section>`;
}

function formatDetails(details: readonly Detail[]): string {
  const items = details.map(({ check, service, code, message }) => {
    const origin = service === undefined ? check : `${service} ${check}`;
    return `<li><code>${code}</code> ${escapeHtml(origin)}: ${escapeHtml(message)}</li>`;
  });
  return `<ul>\n${items.join('\n')}\n</ul>`;
}

const areaNames: Readonly<Record<MapArea, string>> = { whole: 'whole box', inner: 'inner quarter' };

function formatPictures(layer: string, pictures: ComparedPictures): string {
  const figures = (['old', 'new', 'difference'] as const).map((side) => {
    const file = pictures[side];
    const label = `${side}, ${areaNames[pictures.area]}`;
    const picture =
      file === undefined
        ? '<div class="none">no picture</div>'
        : `<img src="${escapeHtml(file)}" width="512" height="512" loading="lazy" alt="${escapeHtml(`${layer}: ${label}`)}">`;
    return `<figure>${picture}<figcaption>${label}</figcaption></figure>`;
  });
  return `<div class="maps">\n${figures.join('\n')}\n</div>`;
}
