<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=places -->
<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><se:Name>it</se:Name><UserStyle><se:FeatureTypeStyle>
    <se:Rule>
      <se:PointSymbolizer><se:Graphic><se:Mark><se:OnlineResource xlink:type="simple" xlink:href="ttf://DejaVu Sans"/><se:Format>ttf</se:Format><se:MarkIndex>9733</se:MarkIndex><se:Fill><se:SvgParameter name="fill">#FFC040</se:SvgParameter></se:Fill><se:Stroke><se:SvgParameter name="stroke">#202060</se:SvgParameter></se:Stroke></se:Mark><se:Size>20</se:Size></se:Graphic></se:PointSymbolizer>
    </se:Rule>
  </se:FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
