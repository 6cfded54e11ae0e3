import { beforeAll, describe, expect, it } from 'vitest';
import { askMap, publishSquares } from '../../../../test/support/maps.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';

const server = useTestServer();

beforeAll(() => publishSquares(server));

function label(text: string, font: string): string {
  return `<TextSymbolizer><Label>${text}</Label><Font><CssParameter name="font-family">${font}</CssParameter><CssParameter name="font-size">8</CssParameter></Font><VendorOption name="conflictResolution">false</VendorOption><VendorOption name="partials">true</VendorOption></TextSymbolizer>`;
}

const LARGE_MAP =
  'service=WMS&version=1.1.1&request=GetMap&srs=EPSG:4326&bbox=0,0,20,20&width=200&height=200&format=image/png';

async function listWarnings(...symbolizers: readonly string[]): Promise<readonly string[]> {
  const sld = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>topo:west</Name><UserStyle><FeatureTypeStyle><Rule>${symbolizers.join('')}</Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
  const { headers } = await askMap(server, `${LARGE_MAP}&sld_body=${encodeURIComponent(sld)}`);
  return [headers['warning'] ?? []].flat().map(String);
}

describe('a map with characters that no font has', () => {
  it('has one warning for each list of fonts and script, and the doctor reports them', async () => {
    const warnings = await listWarnings(label('ไทย Bonn ภาษา', 'Arial'), label('漢字 ไทย', 'Courier'));

    const text = warnings.join('\n');
    expect(text.match(/are missing in all fonts/g)).toHaveLength(3);
    expect(text).toContain("Thai characters of labels in 'Arial'");
    expect(text).toContain("Thai characters of labels in 'Courier'");
    expect(text).toContain(
      'such as U+6F22, are missing in all fonts and are drawn as boxes. Upload a font that has them',
    );
    const { problems } = (await server.get('/doctor')).json() as {
      readonly problems: readonly { readonly code: string; readonly message: string }[];
    };
    expect(problems.filter(({ code }) => code === 'glyphs-missing')).toHaveLength(3);
  });

  it('has no warning for characters that another font has', async () => {
    expect(await listWarnings(label('العربية ☺ Ωμέγα', 'Arial'))).toEqual([]);
  });
});
