import { describeSymbolizers } from '../../../test/support/sld-symbolizers.ts';
import { createLiteral } from '../../filter/model/literal.ts';

describeSymbolizers([
  [
    'a raster with all options',
    {
      kind: 'rasterSymbolizer',
      opacity: createLiteral(0.7),
      channelSelection: {
        kind: 'grayChannel',
        gray: {
          sourceName: createLiteral(1),
          contrastEnhancement: {
            kind: 'contrastEnhancement',
            method: 'normalize',
            vendorOptions: [{ name: 'algorithm', value: createLiteral('ClipToZero') }],
            gamma: createLiteral(1.1),
          },
        },
      },
      overlapBehavior: 'average',
      colorMap: {
        kind: 'entries',
        type: 'intervals',
        extended: true,
        entries: [
          { color: createLiteral('#000000'), quantity: createLiteral(0), opacity: createLiteral(0), label: 'none' },
          { color: createLiteral('#FFFFFF'), quantity: createLiteral(100) },
        ],
      },
      contrastEnhancement: { kind: 'contrastEnhancement', method: 'histogram' },
      shadedRelief: { kind: 'shadedRelief', brightnessOnly: true, reliefFactor: createLiteral(30) },
      imageOutline: { kind: 'lineSymbolizer', stroke: { kind: 'stroke' } },
    },
    `<RasterSymbolizer>
  <Opacity>0.7</Opacity>
  <ChannelSelection>
    <GrayChannel>
      <SourceChannelName>1</SourceChannelName>
      <ContrastEnhancement>
        <Normalize>
          <VendorOption name="algorithm">ClipToZero</VendorOption>
        </Normalize>
        <GammaValue>1.1</GammaValue>
      </ContrastEnhancement>
    </GrayChannel>
  </ChannelSelection>
  <OverlapBehavior>
    <AVERAGE/>
  </OverlapBehavior>
  <ColorMap type="intervals" extended="true">
    <ColorMapEntry color="#000000" quantity="0" opacity="0" label="none"/>
    <ColorMapEntry color="#FFFFFF" quantity="100"/>
  </ColorMap>
  <ContrastEnhancement>
    <Histogram/>
  </ContrastEnhancement>
  <ShadedRelief>
    <BrightnessOnly>true</BrightnessOnly>
    <ReliefFactor>30</ReliefFactor>
  </ShadedRelief>
  <ImageOutline>
    <LineSymbolizer>
      <Stroke/>
    </LineSymbolizer>
  </ImageOutline>
</RasterSymbolizer>`,
  ],
  [
    'a raster in three colours',
    {
      kind: 'rasterSymbolizer',
      channelSelection: {
        kind: 'rgbChannels',
        red: { sourceName: createLiteral(3) },
        green: { sourceName: createLiteral(2) },
        blue: { sourceName: createLiteral(1) },
      },
    },
    `<RasterSymbolizer>
  <ChannelSelection>
    <RedChannel>
      <SourceChannelName>3</SourceChannelName>
    </RedChannel>
    <GreenChannel>
      <SourceChannelName>2</SourceChannelName>
    </GreenChannel>
    <BlueChannel>
      <SourceChannelName>1</SourceChannelName>
    </BlueChannel>
  </ChannelSelection>
</RasterSymbolizer>`,
  ],
]);
