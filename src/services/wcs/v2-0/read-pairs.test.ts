/** Unsupported WCS options are rejected, not ignored. */
import { describe, expect, it } from 'vitest';
import { readXml } from '../../../lib/xml/reader.ts';
import { readDocumentPairs } from './read-document.ts';
import { readPairs } from './read-pairs.ts';

const limits = { maxDepth: 10, maxNodes: 100 };

const pairs = (policy: string) =>
  new Map([
    ['request', 'GetCoverage'],
    ['version', '2.0.1'],
    ['coverageid', 'topo__hills'],
    ['overviewpolicy', policy],
  ]);

describe('overview policy', () => {
  it('is accepted if it is that of the server', () => {
    expect(readPairs(pairs('QUALITY'))).toMatchObject({ kind: 'GetCoverage', id: 'topo__hills' });
  });

  it('is read from a document', () => {
    const extension =
      '<Extension><o:OverviewPolicy xmlns:o="http://example.com/overviews">SPEED</o:OverviewPolicy></Extension>';
    const document = `<GetCoverage xmlns="http://www.opengis.net/wcs/2.0" version="2.0.1"><CoverageId>topo__hills</CoverageId>${extension}</GetCoverage>`;

    expect(readDocumentPairs(readXml(document, limits)).get('overviewpolicy')).toBe('SPEED');
  });

  it.each(['SPEED', 'NEAREST', 'IGNORE', 'whatever'])('is rejected if it is %s', (policy) => {
    expect(() => readPairs(pairs(policy))).toThrow(
      expect.objectContaining({ code: 'ows-option-unsupported', message: expect.stringContaining('overviews') }),
    );
  });
});
