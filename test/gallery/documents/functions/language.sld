<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=areas env=wms_language:fr -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <PolygonSymbolizer><Fill><CssParameter name="fill">#E8F0E0</CssParameter></Fill></PolygonSymbolizer>
          <TextSymbolizer>
            <Label><ogc:Function name="Recode"><ogc:Function name="language"/><ogc:Literal>fr</ogc:Literal><ogc:Literal>forêt</ogc:Literal><ogc:Literal>de</ogc:Literal><ogc:Literal>Wald</ogc:Literal></ogc:Function></Label>
            <Font><CssParameter name="font-size">11</CssParameter></Font>
          </TextSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
