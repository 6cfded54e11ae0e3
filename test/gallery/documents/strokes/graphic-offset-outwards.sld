<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=areas -->
<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><se:Name>it</se:Name><UserStyle><se:FeatureTypeStyle>
    <se:Rule>
<se:PolygonSymbolizer><se:Fill><se:SvgParameter name="fill">#E0F0D0</se:SvgParameter></se:Fill></se:PolygonSymbolizer>
      <se:LineSymbolizer><se:Stroke><se:GraphicStroke><se:Graphic><se:Mark><se:WellKnownName>circle</se:WellKnownName><se:Fill><se:SvgParameter name="fill">#D00000</se:SvgParameter></se:Fill></se:Mark><se:Size>4</se:Size></se:Graphic><se:Gap>4</se:Gap></se:GraphicStroke></se:Stroke><se:PerpendicularOffset>5</se:PerpendicularOffset></se:LineSymbolizer>
    </se:Rule>
  </se:FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
