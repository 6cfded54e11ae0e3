<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>a</Name>
    <UserStyle>
      <Title>b</Title>
      <FeatureTypeStyle>
        <Rule>
          <ogc:Filter>
            <ogc:Or>
              <ogc:Intersects>
                <ogc:PropertyName>g</ogc:PropertyName>
                <gml:Point><!--! the positions of Point must be numbers, two or three per position, but '1,north' was found -->
                  <gml:coordinates>1,north</gml:coordinates>
                </gml:Point>
              </ogc:Intersects>
              <ogc:Within>
                <ogc:PropertyName>g</ogc:PropertyName>
                <gml:Polygon>
                  <gml:outerBoundaryIs>
                    <gml:LinearRing><!--! LinearRing requires at least four positions, the last equal to the first -->
                      <gml:coordinates>0,0 1,0 1,1 0,1</gml:coordinates>
                    </gml:LinearRing>
                  </gml:outerBoundaryIs>
                </gml:Polygon>
              </ogc:Within>
              <ogc:BBOX><!--! 'Box' or 'Envelope' is missing in BBOX -->
                <ogc:PropertyName>g</ogc:PropertyName>
              </ogc:BBOX>
              <ogc:DWithin>
                <ogc:PropertyName>g</ogc:PropertyName>
                <gml:LineString><!--! LineString has 1 position, but at least 2 were expected -->
                  <gml:pos>1 2</gml:pos>
                </gml:LineString>
                <ogc:Distance units="m">far</ogc:Distance><!--! Distance is 'far', but a non-negative number was expected -->
              </ogc:DWithin>
            </ogc:Or>
          </ogc:Filter>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
