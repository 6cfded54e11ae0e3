import { describe, expect, it } from 'vitest';
import { findSvgFault } from './check-svg.ts';

function findFault(text: string): string | undefined {
  return findSvgFault(Buffer.from(text));
}

describe('findSvgFault', () => {
  it.each([
    ['plain', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>'],
    ['no namespace', '<svg width="8"/>'],
    ['a prefix', '<s:svg xmlns:s="http://www.w3.org/2000/svg"/>'],
    [
      'the DOCTYPE of drawing programs',
      '<?xml version="1.0"?>\n<!-- made by hand -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"\n "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n<svg/>',
    ],
    ['a short DOCTYPE', '<!DOCTYPE svg><svg/>'],
    ['links and styles', '<svg><a href="http://example.org/"><use href="#a" style="on: 1"/></a></svg>'],
    [
      'attributes that resemble event handlers',
      '<svg><text x:only="on" o="on" d="javascript" xmlns:x="y">onload=javascript:</text></svg>',
    ],
  ])('accepts an SVG with %s', (_, text) => {
    expect(findFault(text)).toBeUndefined();
  });

  it('accepts an SVG in UTF-16', () => {
    expect(findSvgFault(Buffer.from('\ufeff<svg/>', 'utf16le'))).toBeUndefined();
  });

  it.each([
    ['nothing', '', 'it is empty'],
    ['another document', '<svgs/>', "it is not an SVG document: its root element is 'svgs'"],
    [
      'an svg element in another namespace',
      '<svg xmlns="http://example.org/"/>',
      "it is not an SVG document: its root element is 'svg'",
    ],
    [
      'broken',
      '<svg>\n<g></svg>',
      "it is not a readable SVG document. The XML is not well-formed at line 2, column 4: '</svg>' was found where '</g>' was expected",
    ],
    ['a script', '<svg>\n  <g><script>alert(1)</script></g></svg>', 'it contains a script at line 2, column 6'],
    ['a script with a prefix', '<svg xmlns:h="http://example.org/"><h:SCRIPT/></svg>', 'it contains a script at'],
    [
      'a frame',
      '<svg><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" srcdoc="&lt;script>"/></foreignObject></svg>',
      "it contains the HTML element 'iframe' at line 1, column 21",
    ],
    ['a handler', '<svg onload="alert(1)"/>', "it contains the event handler 'onload' at line 1, column 1"],
    ['a script link', '<svg><a xlink:href="java&#10;script:alert(1)" xmlns:xlink="x"/></svg>', 'a link to a script'],
    ['an animated script link', '<svg><animate to=" JavaScript:alert(1)"/></svg>', 'a link to a script'],
    ['a script in an entity', '<!DOCTYPE svg [<!ENTITY a "<script/>">]><svg>&a;</svg>', 'it contains a script'],
    [
      'parameter entities',
      '<!DOCTYPE svg [<!ENTITY % a "b"> %a;]><svg/>',
      'it has a DOCTYPE with declarations other than plain entities',
    ],
    [
      'entities in quotes',
      '<!DOCTYPE svg PUBLIC "a" "b" [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg>&a;</svg>',
      'it has a DOCTYPE with declarations',
    ],
    ['a second DOCTYPE', '<!DOCTYPE svg><!DOCTYPE svg><svg/>', 'it has a DOCTYPE with declarations'],
  ])('rejects %s', (_, text, reason) => {
    expect(findFault(text)).toContain(reason);
  });

  it('checks in linear time', () => {
    const start = performance.now();

    expect(findFault(`${'<!--'.repeat(20_000)}${'- -'.repeat(100_000)}`)).toContain(
      'it is not a readable SVG document',
    );
    expect(findFault(`<!DOCTYPE svg ${' '.repeat(200_000)}`)).toContain('DOCTYPE');
    expect(performance.now() - start).toBeLessThan(60_000);
  });
});
