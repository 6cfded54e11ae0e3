<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <UserLayer>
    <Name>sketch</Name>
    <InlineFeature>
      <FeatureCollection xmlns="http://www.opengis.net/gml">
        <featureMember>
          <note xmlns="https://example.org/notes" id="n1">
            <text>Meet here</text>
            <gml:Point srsName="EPSG:4326"><gml:coordinates>11.5,48.1</gml:coordinates></gml:Point>
          </note>
        </featureMember>
      </FeatureCollection>
    </InlineFeature>
    <LayerFeatureConstraints>
      <FeatureTypeConstraint/>
    </LayerFeatureConstraints>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <PointSymbolizer>
            <Graphic>
              <Mark><WellKnownName>x</WellKnownName><Stroke/></Mark>
            </Graphic>
          </PointSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </UserLayer>
</StyledLayerDescriptor>
