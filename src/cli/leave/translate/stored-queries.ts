/** Writes stored queries of WFS, global ones and those of workspaces. */
import type { Json } from '../../../lib/json/value.ts';
import { escapeAttribute, escapeText } from '../../../lib/xml/escape.ts';
import { createPath, isList, isObject, type Resource, readText, splitPath } from '../archive/exported-configuration.ts';
import type { Leaving } from './leaving.ts';

const LANGUAGE = 'urn:ogc:def:queryLanguage:OGC-WFS::WFS_QueryExpression';

const namespaces =
  'xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:gml="http://www.opengis.net/gml/3.2"';

export function writeStoredQueries(leaving: Leaving): void {
  for (const query of leaving.list('storedQuery')) {
    const segments = splitPath(query.path);
    const name = segments.at(-1) ?? '';
    const [, workspace] = segments.length > 2 ? segments : [];
    const home = workspace === undefined ? '' : leaving.folders.get(createPath('workspaces', workspace));
    if (home === undefined) {
      leaving.reportMissing(query, 'workspace');
      continue;
    }
    // GeoServer removes all other characters from the name of the file.
    const file = `${home === '' ? '' : `${home}/`}wfs/query/${name.replaceAll(/\W/g, '')}.xml`;
    if (leaving.files.has(file)) {
      const message =
        'GeoServer stores another query in the same file, because the ids have the same letters and digits.';
      leaving.report.add('name-taken', query, message, { remedy: 'Rename one of the queries.' });
      continue;
    }
    leaving.files.set(file, { bytes: Buffer.from(formatQuery(name, query)) });
    leaving.report.countExported('storedQuery');
  }
}

function formatQuery(name: string, { fields: { title, abstract, isPrivate, parameters, queries } }: Resource): string {
  const texts = listItems(queries, 'query').flatMap((each) => readText(each) ?? []);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<wfs:StoredQueryDescription id="${escapeAttribute(name)}" ${namespaces}>\n`,
    formatTexts(title, abstract),
    ...listItems(parameters, 'parameter').map(formatParameter),
    `<wfs:QueryExpressionText isPrivate="${isPrivate === true}" language="${LANGUAGE}" returnFeatureTypes="">`,
    ...texts.map((text) => text.replace(/^\s*<\?xml[^>]*\?>\s*/, '')),
    '</wfs:QueryExpressionText>\n</wfs:StoredQueryDescription>\n',
  ].join('');
}

function formatParameter(parameter: Json): string {
  if (!isObject(parameter)) return '';
  const { name, type, title, abstract } = parameter;
  const attributes = `name="${escapeAttribute(readText(name) ?? '')}" type="${escapeAttribute(readText(type) ?? '')}"`;
  return `<wfs:Parameter ${attributes}>${formatTexts(title, abstract)}</wfs:Parameter>\n`;
}

function formatTexts(title: Json | undefined, abstract: Json | undefined): string {
  return [
    ['Title', title],
    ['Abstract', abstract],
  ]
    .map(([name, value]) => {
      const text = readText(value);
      return text === undefined || text === '' ? '' : `<wfs:${name}>${escapeText(text)}</wfs:${name}>`;
    })
    .join('');
}

/** A list, or an object with a list. */
function listItems(value: Json | undefined, name: string): readonly Json[] {
  const list = isObject(value) ? value[name] : value;
  return isList(list) ? list : list === undefined || list === null ? [] : [list];
}
