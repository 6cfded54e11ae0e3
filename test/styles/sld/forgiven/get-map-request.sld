<ogc:GetMap xmlns:ogc="http://www.opengis.net/ows" xmlns:gml="http://www.opengis.net/gml" version="1.1.1" service="WMS"><!--?1 the document is a 'ogc:GetMap': only its StyledLayerDescriptor is read -->
  <StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld">
    <NamedLayer>
      <Name>places</Name>
      <NamedStyle>
        <Name>population</Name>
      </NamedStyle>
    </NamedLayer>
  </StyledLayerDescriptor>
  <BoundingBox srsName="EPSG:4326">
    <gml:coord><gml:X>-130</gml:X><gml:Y>24</gml:Y></gml:coord>
  </BoundingBox>
</ogc:GetMap>
