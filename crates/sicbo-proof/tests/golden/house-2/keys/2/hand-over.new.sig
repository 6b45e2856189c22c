}¸A±…)®û‹túUm‚f©QðjeûáHgE¼¤«evXˆpl
wp›“ë‰‘ð¾R¡ðo¢ž1X{˜{¥Ö