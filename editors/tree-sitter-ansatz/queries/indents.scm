[(block) (vector) (arguments)] @indent.begin
["}" ")"] @indent.end
