/** The speed of parsing a megabyte of SLD into the style model, compared with the XML reader alone. */
import { readXml } from '../src/lib/xml/reader.ts';
import { readSld, sldLimits } from '../src/styling/sld/reader.ts';

const documentBytes = 1_000_000;

/** Enough runs for the compiler to optimize everything; the best run excludes other load of the machine. */
const runs = 30;

export interface SldParsing {
  readonly sldMegabytesPerSecond: number;
  readonly xmlMegabytesPerSecond: number;
}

export function measureSldParsing(): SldParsing {
  const text = createDocument(documentBytes);
  const megabytes = Buffer.byteLength(text) / 1e6;
  return {
    sldMegabytesPerSecond: megabytes / bestSeconds(() => readSld(text)),
    xmlMegabytesPerSecond: megabytes / bestSeconds(() => readXml(text, sldLimits)),
  };
}

function bestSeconds(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best / 1000;
}

/** A thematic style of many classes, as written by classification tools. */
export function createDocument(bytes: number): string {
  const rules: string[] = [];
  for (let length = 0, index = 0; length < bytes; index += 1) {
    const rule = createRule(index);
    rules.push(rule);
    length += rule.length;
  }
  return `<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>classes</Name>
    <UserStyle>
      <FeatureTypeStyle>
${rules.join('')}      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>`;
}

function createRule(index: number): string {
  const color = `#${(index * 7919).toString(16).padStart(6, '0').slice(-6)}`;
  return `        <Rule>
          <Name>class_${index}</Name>
          <Title>From ${index} to ${index + 1}</Title>
          <ogc:Filter>
            <ogc:And>
              <ogc:PropertyIsGreaterThanOrEqualTo>
                <ogc:PropertyName>value</ogc:PropertyName>
                <ogc:Literal>${index}</ogc:Literal>
              </ogc:PropertyIsGreaterThanOrEqualTo>
              <ogc:PropertyIsLessThan>
                <ogc:PropertyName>value</ogc:PropertyName>
                <ogc:Literal>${index + 1}</ogc:Literal>
              </ogc:PropertyIsLessThan>
            </ogc:And>
          </ogc:Filter>
          <MaxScaleDenominator>500000</MaxScaleDenominator>
          <PolygonSymbolizer>
            <Fill>
              <CssParameter name="fill">${color}</CssParameter>
              <CssParameter name="fill-opacity">0.8</CssParameter>
            </Fill>
            <Stroke>
              <CssParameter name="stroke">#000000</CssParameter>
              <CssParameter name="stroke-width">0.5</CssParameter>
            </Stroke>
          </PolygonSymbolizer>
          <TextSymbolizer>
            <Label><ogc:PropertyName>name</ogc:PropertyName></Label>
            <Font>
              <CssParameter name="font-family">DejaVu Sans</CssParameter>
              <CssParameter name="font-size">10</CssParameter>
            </Font>
            <VendorOption name="autoWrap">60</VendorOption>
          </TextSymbolizer>
        </Rule>
`;
}
