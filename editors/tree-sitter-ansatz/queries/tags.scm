(statement keyword: (keyword) name: (name) @name) @definition
