# What is not understood is answered by the errors of the protocol, and what comes behind it is still served.
lsp() { perl ../../lib/lsp.pl; }
echo 'a request before initialize, JSON that is none, no length, no method, an unknown request'
lsp <<'END'
bare
send {"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}
receive
send {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"capabilities":{"general":{"positionEncodings":["utf-8","utf-16"]}}}}
receive
send {"id":
receive
send [1, 2]
receive
send 7
receive
send {"jsonrpc":"2.0","id":{"a":1},"method":"shutdown"}
receive
send {"jsonrpc":"2.0","id":3}
receive
raw "Content-Type: text\r\n\r\n"
receive
raw "Content-Length: 99999999999999999999\r\n\r\n"
receive
send {"jsonrpc":"2.0","id":"four","method":"textDocument/dance","params":{}}
receive
send {"jsonrpc":"2.0","id":5,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///none.psl"}}}
receive
send {"jsonrpc":"2.0","id":6,"method":"textDocument/hover"}
receive
send {"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///none.psl"},"contentChanges":3}}
send {"jsonrpc":"2.0","method":"$/unknown"}
send {"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}
receive
send {"jsonrpc":"2.0","id":8,"method":"shutdown"}
receive
send {"jsonrpc":"2.0","id":9,"method":"shutdown"}
receive
send {"jsonrpc":"2.0","method":"exit"}
END
echo
echo 'exit without shutdown, the end of the input, a header in parts'
lsp <<'END'
bare
send {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}
receive
send {"jsonrpc":"2.0","method":"exit"}
END
lsp <<'END'
bare
END
lsp <<'END'
bare
raw "Content-Le"
raw "ngth: 40\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{\"jsonrpc\":\"2.0\","
raw "\"id\":1,\"method\":\"x\"}   "
receive
END
echo
echo 'a request that is cancelled before it is read: both come at once'
lsp <<'END'
bare
hold
send {"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}
send {"jsonrpc":"2.0","id":2,"method":"workspace/symbol","params":{"query":""}}
send {"jsonrpc":"2.0","id":3,"method":"workspace/symbol","params":{"query":""}}
send {"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}
flush
receive
receive
receive
END
