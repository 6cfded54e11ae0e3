<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>parcels</Name>
    <UserStyle>
      <Title>Parcels near the planned road</Title>
      <FeatureTypeStyle>
        <Rule>
          <Name>touched</Name>
          <ogc:Filter>
            <ogc:And>
              <ogc:BBOX>
                <ogc:PropertyName>geom</ogc:PropertyName>
                <gml:Box srsName="EPSG:25832">
                  <gml:coordinates>500000,5400000 510000,5410000</gml:coordinates>
                </gml:Box>
              </ogc:BBOX>
              <ogc:Intersects>
                <ogc:PropertyName>geom</ogc:PropertyName>
                <gml:Polygon srsName="EPSG:25832">
                  <gml:outerBoundaryIs>
                    <gml:LinearRing>
                      <gml:coordinates>0,0 10,0 10,10 0,10 0,0</gml:coordinates>
                    </gml:LinearRing>
                  </gml:outerBoundaryIs>
                  <gml:innerBoundaryIs>
                    <gml:LinearRing>
                      <gml:coordinates decimal="," cs=";" ts=" ">2,5;2 4;2 4;4 2,5;2</gml:coordinates>
                    </gml:LinearRing>
                  </gml:innerBoundaryIs>
                </gml:Polygon>
              </ogc:Intersects>
            </ogc:And>
          </ogc:Filter>
          <PolygonSymbolizer>
            <Fill><CssParameter name="fill">#F56565</CssParameter></Fill>
          </PolygonSymbolizer>
        </Rule>
        <Rule>
          <Name>close_by</Name>
          <ogc:Filter>
            <ogc:DWithin>
              <ogc:PropertyName>geom</ogc:PropertyName>
              <gml:LineString>
                <gml:coord><gml:X>1</gml:X><gml:Y>2</gml:Y></gml:coord>
                <gml:coord><gml:X>3</gml:X><gml:Y>4.5</gml:Y></gml:coord>
              </gml:LineString>
              <ogc:Distance units="metre">250</ogc:Distance>
            </ogc:DWithin>
          </ogc:Filter>
          <PolygonSymbolizer>
            <Fill><CssParameter name="fill">#FED7D7</CssParameter></Fill>
          </PolygonSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
