Console.WriteLine("before");
System.Threading.Thread.Sleep(600000);
Console.WriteLine("after");
