<workspace><!--! the document is a 'workspace', but a StyledLayerDescriptor was expected -->
  <name>a</name>
</workspace>
