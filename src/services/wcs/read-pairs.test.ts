/** What a WCS is asked that it would not do is told, and not passed over. */
import { describe, expect, it } from 'vitest';
import { readXml } from '../../lib/xml/reader.ts';
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

describe('a policy of overviews', () => {
  it('is taken where it is that of the server', () => {
    expect(readPairs(pairs('QUALITY'))).toMatchObject({ kind: 'GetCoverage', id: 'topo__hills' });
  });

  it('is found in a document', () => {
    const extension =
      '<Extension><o:OverviewPolicy xmlns:o="http://example.com/overviews">SPEED</o:OverviewPolicy></Extension>';
    const document = `<GetCoverage xmlns="http://www.opengis.net/wcs/2.0" version="2.0.1"><CoverageId>topo__hills</CoverageId>${extension}</GetCoverage>`;

    expect(readDocumentPairs(readXml(document, limits)).get('overviewpolicy')).toBe('SPEED');
  });

  it.each(['SPEED', 'NEAREST', 'IGNORE', 'whatever'])('is refused where it is %s', (policy) => {
    expect(() => readPairs(pairs(policy))).toThrow(
      expect.objectContaining({ code: 'ows-option-unsupported', message: expect.stringContaining('overviews') }),
    );
  });
});
