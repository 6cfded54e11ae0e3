<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>landuse</Name>
    <UserStyle>
      <Title>Land use by a table of colours</Title>
      <FeatureTypeStyle>
        <Rule>
          <PolygonSymbolizer>
            <Fill>
              <CssParameter name="fill">
                <ogc:Function name="Recode">
                  <ogc:PropertyName>use</ogc:PropertyName>
                  <ogc:Literal>field</ogc:Literal>
                  <ogc:Literal>#FAF089</ogc:Literal>
                  <ogc:Literal>wood</ogc:Literal>
                  <ogc:Literal>#68D391</ogc:Literal>
                  <ogc:Literal>town</ogc:Literal>
                  <ogc:Literal>#FEB2B2</ogc:Literal>
                </ogc:Function>
              </CssParameter>
            </Fill>
          </PolygonSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
