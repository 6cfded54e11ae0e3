/** Writes the transaction response of each version. */
import { toXmlName } from '../../../formats/gml/xml-names.ts';
import { escapeAttribute } from '../../../lib/xml/escape.ts';
import type { WfsVersion } from '../request/request.ts';

export interface TransactionSummary {
  readonly inserted: { readonly id: string; readonly handle: string | undefined }[];
  readonly replaced: string[];
  updated: number;
  deleted: number;
}

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';

export function writeTransactionResponse(version: WfsVersion, summary: TransactionSummary): string {
  const { inserted, replaced, updated, deleted } = summary;
  if (version === '1.0.0') {
    const results = inserted.map(({ id }) => `<wfs:InsertResult>${writeFeatureId(id)}</wfs:InsertResult>`);
    return `${head}<wfs:WFS_TransactionResponse version="1.0.0" xmlns:wfs="http://www.opengis.net/wfs" xmlns:ogc="http://www.opengis.net/ogc">${results.join('')}<wfs:TransactionResult><wfs:Status><wfs:SUCCESS/></wfs:Status></wfs:TransactionResult></wfs:WFS_TransactionResponse>\n`;
  }
  const writeTotals = (more: string): string =>
    `<wfs:TransactionSummary><wfs:totalInserted>${inserted.length}</wfs:totalInserted><wfs:totalUpdated>${updated}</wfs:totalUpdated>${more}<wfs:totalDeleted>${deleted}</wfs:totalDeleted></wfs:TransactionSummary>`;
  if (version === '1.1.0') {
    const results = inserted.map(
      ({ id, handle }) => `<wfs:Feature${writeHandle(handle)}>${writeFeatureId(id)}</wfs:Feature>`,
    );
    return `${head}<wfs:TransactionResponse version="1.1.0" xmlns:wfs="http://www.opengis.net/wfs" xmlns:ogc="http://www.opengis.net/ogc">${writeTotals('')}<wfs:TransactionResults/>${wrapItems('InsertResults', results)}</wfs:TransactionResponse>\n`;
  }
  const created = inserted.map(
    ({ id, handle }) => `<wfs:Feature${writeHandle(handle)}>${writeResourceId(id)}</wfs:Feature>`,
  );
  const renewed = replaced.map((id) => `<wfs:Feature>${writeResourceId(id)}</wfs:Feature>`);
  return `${head}<wfs:TransactionResponse version="2.0.0" xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:fes="http://www.opengis.net/fes/2.0">${writeTotals(`<wfs:totalReplaced>${replaced.length}</wfs:totalReplaced>`)}${wrapItems('InsertResults', created)}${wrapItems('ReplaceResults', renewed)}</wfs:TransactionResponse>\n`;
}

function wrapItems(name: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `<wfs:${name}>${items.join('')}</wfs:${name}>`;
}

function writeHandle(handle: string | undefined): string {
  return handle === undefined ? '' : ` handle="${escapeAttribute(handle)}"`;
}

function writeFeatureId(id: string): string {
  return `<ogc:FeatureId fid="${toXmlName(id)}"/>`;
}

function writeResourceId(id: string): string {
  return `<fes:ResourceId rid="${toXmlName(id)}"/>`;
}
